import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrived } from './arrival.ts';
import { HelpedChromium, SETTLED_MS } from './helpedChromium.ts';
import { OTHER_HOST, OWN_HOST, type Visit } from './server.ts';
import { AT_ONCE_MS, SITE, openHeld } from './siteOff.ts';

/** Every image of a page is held from its first, by policy, and all goes by the helper: but not where it is off. */
describe('off for a site', () => {
  let chromium: HelpedChromium;
  beforeAll(async () => {
    chromium = await HelpedChromium.start('options.html');
  });
  afterAll(() => chromium.close());

  async function open(visit: Visit): Promise<Page> {
    const page = await chromium.browser.context.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'commit' });
    return page;
  }

  it('what is held goes at once, then nothing is held or goes by the helper; switched on again, both do from the next load on', async () => {
    const { visit: before, page: held } = await openHeld(
      async () => {
        const visit = chromium.ground.server.visit(SITE);
        visit.hold(/jpg/);
        return { visit, page: await open(visit) };
      },
      ({ visit }) => chromium.countsOf(visit),
      async ({ visit, page }) => {
        visit.letGo();
        await page.close();
      },
    );
    await expect.poll(() => chromium.carried(before, [OWN_HOST])).toContain(before.url('/'));

    await chromium.own.fill('#site-text', `www.${OWN_HOST}`);
    await chromium.own.press('#site-text', 'Enter');
    const isAllReleased = async (): Promise<boolean> => {
      const counts = await chromium.countsOf(before);
      return counts !== null && counts.released === counts.held;
    };
    await expect.poll(isAllReleased, { timeout: AT_ONCE_MS }).toBe(true);
    before.letGo();
    await arrived(held);
    await held.close();
    expect(await chromium.own.locator('#sites li').innerText()).toContain(OWN_HOST);

    await sleep(SETTLED_MS);
    const off = chromium.ground.server.visit(SITE);
    const page = await open(off);
    await arrived(page);
    expect(await chromium.countsOf(off)).toEqual({ held: 0, released: 0 });
    await sleep(SETTLED_MS);
    expect(await chromium.carried(off, [OWN_HOST])).toEqual([]);
    // a script for the proxy knows no page
    expect(await chromium.carried(off, [OTHER_HOST])).not.toEqual([]);

    await chromium.own.locator('#sites li button').click();
    await expect.poll(() => chromium.own.locator('#sites li').count()).toBe(0);
    await sleep(SETTLED_MS);
    const again = chromium.ground.server.visit(SITE);
    await page.goto(again.url('/'), { waitUntil: 'commit' });
    await expect.poll(async () => (await chromium.countsOf(again))?.held).toBeGreaterThan(0);
    await arrived(page);
    await expect.poll(() => chromium.carried(again, [OWN_HOST])).toContain(again.url('/'));
    await page.close();
  });
});
