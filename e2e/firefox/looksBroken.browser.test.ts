import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrived, carriedWhole, RECORDED_MS } from '../gate/arrival.ts';
import { goWithout, type ExtensionPage } from '../gate/extensionPage.ts';
import { OWN_HOST, type Visit } from '../gate/server.ts';
import { SITE, isHelped } from '../gate/siteOff.ts';
import { HelpedFirefox } from './helpedFirefox.ts';

describe('Firefox: a page that looks broken', () => {
  let firefox: HelpedFirefox;
  beforeAll(async () => {
    firefox = await HelpedFirefox.start();
  });
  afterAll(() => firefox.close());

  /** What a document names is asked for when it is the one that is shown. */
  const loadsOf = (visit: Visit): number => visit.requests.filter(({ name }) => name === `${OWN_HOST}/near.jpg`).length;

  it('is loaded once with nothing held and nothing by the helper; the next page has both again', async () => {
    const visit = firefox.server.visit(SITE);
    const page = await firefox.open(visit);
    await isHelped(firefox, visit);
    await arrived(page);
    const before = await carriedWhole(firefox.helper, visit);

    expect(await firefox.options.evaluate(goWithout, visit.url('/'))).toBe(true);
    await expect.poll(() => loadsOf(visit)).toBe(2);
    await arrived(page);
    // the browser may tell of the load later than of what it asks for
    await expect.poll(() => firefox.countsOf(visit)).toEqual({ held: 0, released: 0 });
    await sleep(RECORDED_MS);
    expect(await firefox.carried(visit)).toEqual(before);

    const next = firefox.server.visit(SITE);
    await page.goto(next.url('/'), { waitUntil: 'domcontentloaded' });
    await isHelped(firefox, next);
    await arrived(page);
  });

  it('is not loaded where its tab is gone', async () => {
    expect(await firefox.options.evaluate(() => (globalThis as unknown as ExtensionPage).chrome.runtime.sendMessage({ type: 'loadWithout', tabId: 123_456 }))).toBe(false);
  });
});
