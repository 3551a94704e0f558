import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrived } from './arrival.ts';
import { HelpedChromium } from './helpedChromium.ts';
import { OTHER_HOST, OWN_HOST, type Visit } from './server.ts';
import { SITE, allReleased, openHeld } from './siteOff.ts';

/** Every image of a page is held from its first, by policy, and all goes by the helper: but not where it is off. */
describe('off for a site', () => {
  let chromium: HelpedChromium;
  beforeAll(async () => {
    chromium = await HelpedChromium.start('options.html');
  });
  afterAll(() => chromium.close());

  /** Waits until the helper has written down all that has gone by it: what another host was asked for at last. */
  async function written(visit: Visit): Promise<void> {
    const urls = visit.requests.flatMap(({ name }) => (name.startsWith(`${OTHER_HOST}/`) ? [visit.url(name.slice(OTHER_HOST.length), OTHER_HOST)] : []));
    await expect.poll(() => chromium.carried(visit, [OTHER_HOST])).toEqual(expect.arrayContaining(urls));
  }

  /** Whether what the browser asks of the site goes by the helper now; what it asks of another host does all the time. */
  async function goesByHelper(): Promise<boolean> {
    const visit = chromium.server.visit({ '/': { body: '' } });
    const worker = await chromium.browser.worker();
    for (const host of [OWN_HOST, OTHER_HOST]) await worker.evaluate((url) => fetch(url, { mode: 'no-cors' }).then(() => null), visit.url('/', host));
    await written(visit);
    return (await chromium.carried(visit, [OWN_HOST])).length > 0;
  }

  it('what is held goes at once, then nothing is held or goes by the helper; switched on again, both do from the next load on', async () => {
    const { visit: before, page: held } = await openHeld(chromium);
    await expect.poll(() => chromium.carried(before, [OWN_HOST])).toContain(before.url('/'));

    await chromium.own.fill('#site-text', `www.${OWN_HOST}`);
    await chromium.own.press('#site-text', 'Enter');
    await allReleased(chromium, before);
    before.letGo();
    await arrived(held);
    await held.close();
    expect(await chromium.own.locator('#sites li').innerText()).toContain(OWN_HOST);

    await expect.poll(goesByHelper).toBe(false);
    const off = chromium.server.visit(SITE);
    const page = await chromium.open(off);
    await arrived(page);
    expect(await chromium.countsOf(off)).toEqual({ held: 0, released: 0 });
    // a script for the proxy knows no page
    await written(off);
    expect(await chromium.carried(off, [OWN_HOST])).toEqual([]);

    await chromium.own.locator('#sites li button').click();
    await expect.poll(() => chromium.own.locator('#sites li').count()).toBe(0);
    await expect.poll(goesByHelper).toBe(true);
    const again = chromium.server.visit(SITE);
    await page.goto(again.url('/'), { waitUntil: 'commit' });
    await expect.poll(async () => (await chromium.countsOf(again))?.held).toBeGreaterThan(0);
    await arrived(page);
    await expect.poll(() => chromium.carried(again, [OWN_HOST])).toContain(again.url('/'));
    await page.close();
  });
});
