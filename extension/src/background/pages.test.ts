import { describe, expect, it, vi } from 'vitest';
import type { PageSnapshot } from '../../../shared/src/page/objects.ts';
import type { DocumentReport } from '../../../shared/src/protocol/page.ts';
import { planPrioritizedFetching, type Plan } from '../../../shared/src/scheduling/plan.ts';
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

  describe('asks for a plan', () => {
    const REPORT = { type: 'layout' as const, view: { x: 0, y: 0, width: 800, height: 600 }, objects: [] } satisfies DocumentReport;
    const STEP_MS = 50;

    /** One page with images enough that not all go at once, whose plans are counted. */
    async function planned(test: (pages: Pages, plans: PageSnapshot[]) => Promise<void>, plan = (snapshot: PageSnapshot): Promise<Plan> => Promise.resolve(planPrioritizedFetching(snapshot))): Promise<void> {
      vi.useFakeTimers();
      const nothing = (): void => undefined;
      const gate = { decidesPerRequest: true, holdIn: () => Promise.resolve(), release: nothing, releaseAll: nothing, forget: nothing };
      const plans: PageSnapshot[] = [];
      const pages = new Pages(gate, new LinkTraffic({ releasesAreAlike: true }), {
        plan: (_, snapshot) => {
          plans.push(snapshot);
          return plan(snapshot);
        },
        now: () => 0,
      });
      for (let order = 0; order < 40; order += 1) pages.held({ ...REQUEST, url: `http://a.test/${order}.jpg`, order });
      pages.connected('d', TAB, nothing);
      try {
        await vi.advanceTimersByTimeAsync(STEP_MS);
        await test(pages, plans);
      } finally {
        pages.disconnected('d');
        vi.useRealTimers();
      }
    }

    it('no more when a transfer has ended: that changes no order', () =>
      planned(async (pages, plans) => {
        pages.tabChanged(TAB);
        await vi.advanceTimersByTimeAsync(STEP_MS);
        expect(plans).toHaveLength(1);
      }));

    it.each<[string, (pages: Pages) => void]>([
      ['another image is held', (pages) => pages.held({ ...REQUEST, order: 99 })],
      ['the layout is told', (pages) => pages.report('d', REPORT)],
      ['the helper foresees a held image', (pages) => pages.foreseen('http://a.test/39.jpg')],
    ])('again when %s', (_, change) =>
      planned(async (pages, plans) => {
        change(pages);
        await vi.advanceTimersByTimeAsync(STEP_MS);
        expect(plans).toHaveLength(2);
        pages.tabChanged(TAB);
        await vi.advanceTimersByTimeAsync(STEP_MS);
        expect(plans).toHaveLength(2);
      }));

    it('again and again while a helper has held images on the way: it may end, and they are released as without it', () => {
      let helper: 'there' | 'gone' = 'there';
      return planned(
        async (pages, plans) => {
          expect(pages.counts(TAB).released).toBe(0);
          helper = 'gone';
          await vi.advanceTimersByTimeAsync(200);
          expect(plans.length).toBeGreaterThan(1);
          expect(pages.counts(TAB).released).toBeGreaterThan(0);
        },
        (snapshot) => Promise.resolve(planPrioritizedFetching(snapshot).map((object) => (helper === 'there' ? { ...object, foreseen: 'coming' as const } : object))),
      );
    });

    it('again for what changes while one is made', () => {
      let answer: ((plan: Plan) => void) | undefined;
      return planned(
        async (pages, plans) => {
          pages.report('d', REPORT);
          answer?.(planPrioritizedFetching(plans[0]!));
          await vi.advanceTimersByTimeAsync(STEP_MS);
          expect(plans.map(({ view }) => view)).toEqual([null, REPORT.view]);
        },
        () => new Promise((resolve) => (answer = resolve)),
      );
    });
  });
});
