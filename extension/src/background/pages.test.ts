import { describe, expect, it } from 'vitest';
import { LinkTraffic } from './linkTraffic.ts';
import { Pages } from './pages.ts';

const TAB = 1;
const REQUEST = { document: 'd', tabId: TAB, url: 'http://a.test/a.jpg', requestId: '1', order: 0 };

/** With a gate that does nothing, on a clock that is set by hand. */
function pagesAt(clock: { ms: number }): Pages {
  const nothing = (): void => undefined;
  const gate = { decidesPerRequest: true, holdIn: () => Promise.resolve(), release: nothing, releaseAll: nothing, forget: nothing };
  return new Pages(gate, new LinkTraffic({ releasesAreAlike: true }), { plan: () => Promise.resolve([]), now: () => clock.ms });
}

describe('Pages', () => {
  it('forgets at a navigation what no content script has come for, so that its tab does not hold for ever', () => {
    const clock = { ms: 0 };
    const pages = pagesAt(clock);
    pages.held(REQUEST);
    clock.ms = 5_001;
    expect(pages.hasHeld(TAB)).toBe(true);
    pages.navigated(TAB);
    expect(pages.hasHeld(TAB)).toBe(false);
  });

  it('keeps what was held just before a navigation that may come to nothing: its content script may yet come, and is told', () => {
    const clock = { ms: 0 };
    const pages = pagesAt(clock);
    pages.held(REQUEST);
    clock.ms = 100;
    pages.navigated(TAB);
    const told: unknown[] = [];
    pages.connected('d', TAB, (message) => told.push(message));
    expect(told).toContainEqual({ type: 'held', urls: [REQUEST.url] });
    pages.disconnected('d');
  });

  it('has the page connect where its images are, once each', () => {
    const pages = pagesAt({ ms: 0 });
    const told: unknown[] = [];
    pages.requested('d', TAB, 'https://early.test/a.png');
    pages.connected('d', TAB, (message) => told.push(message));
    for (const name of ['a', 'b']) pages.requested('d', TAB, `https://static.test/${name}.png`);
    expect(told).toEqual([
      { type: 'preconnect', origins: ['https://early.test'] },
      { type: 'preconnect', origins: ['https://static.test'] },
    ]);
    pages.disconnected('d');
  });
});
