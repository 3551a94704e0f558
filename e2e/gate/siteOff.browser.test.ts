import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSettings, connectionsReady } from '../browsers/extension.ts';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import type { TestBrowser } from './browsers.ts';
import { Bench } from './harness.ts';
import { OTHER_HOST, OWN_HOST, type Visit } from './server.ts';
import { SITE, openHeld, readCounts } from './siteOff.ts';

/** In which the browser has taken another script for its proxy, and the helper has written down what it was asked for. */
const SETTLED_MS = 1_200;
/** In which the gate would have let go of a part only. */
const AT_ONCE_MS = 3_000;

/** Every image of a page is held from its first, by policy, and all goes by the helper: but not where it is off. */
describe('off for a site', () => {
  let bench: Bench;
  let helper: OwnNamesHelper;
  let browser: TestBrowser;
  let options: Page;
  beforeAll(async () => {
    bench = await Bench.start();
    helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST], [`--extension-id=${bench.installation.extensionId}`]);
    browser = await bench.openFirstscreen(helper.script);
    await changeSettings(browser.context, { connections: true, anyLink: true });
    expect(await connectionsReady(browser.context)).toBe(true);
    options = await browser.context.newPage();
    await options.goto(new URL('options.html', bench.installation.origin).href);
    await options.waitForSelector('body[data-ready]');
    await sleep(SETTLED_MS);
  });
  afterAll(async () => {
    await browser.close();
    await bench.close();
    await helper.remove();
  });

  const countsOf = (visit: Visit): ReturnType<typeof readCounts> => options.evaluate(readCounts, visit.url('/'));
  const carried = async (visit: Visit, host: string): Promise<string[]> => (await helper.urls()).filter((url) => url.startsWith(visit.url('/', host)));

  async function open(visit: Visit): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'commit' });
    return page;
  }

  async function arrived(page: Page): Promise<void> {
    await page.waitForFunction(() => document.readyState === 'complete' && document.images.length > 0 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
  }

  it('what is held goes at once, then nothing is held or goes by the helper; switched on again, both do from the next load on', async () => {
    const { visit: before, page: held } = await openHeld(
      async () => {
        const visit = bench.server.visit(SITE);
        visit.hold(/jpg/);
        return { visit, page: await open(visit) };
      },
      ({ visit }) => countsOf(visit),
      async ({ visit, page }) => {
        visit.letGo();
        await page.close();
      },
    );
    await expect.poll(() => carried(before, OWN_HOST)).toContain(before.url('/'));

    await options.fill('#site-text', `www.${OWN_HOST}`);
    await options.press('#site-text', 'Enter');
    const isAllReleased = async (): Promise<boolean> => {
      const counts = await countsOf(before);
      return counts !== null && counts.released === counts.held;
    };
    await expect.poll(isAllReleased, { timeout: AT_ONCE_MS }).toBe(true);
    before.letGo();
    await arrived(held);
    await held.close();
    expect(await options.locator('#sites li').innerText()).toContain(OWN_HOST);

    await sleep(SETTLED_MS);
    const off = bench.server.visit(SITE);
    const page = await open(off);
    await arrived(page);
    expect(await countsOf(off)).toEqual({ held: 0, released: 0 });
    await sleep(SETTLED_MS);
    expect(await carried(off, OWN_HOST)).toEqual([]);
    // a script for the proxy knows no page
    expect(await carried(off, OTHER_HOST)).not.toEqual([]);

    await options.locator('#sites li button').click();
    await expect.poll(() => options.locator('#sites li').count()).toBe(0);
    await sleep(SETTLED_MS);
    const again = bench.server.visit(SITE);
    await page.goto(again.url('/'), { waitUntil: 'commit' });
    await expect.poll(async () => (await countsOf(again))?.held).toBeGreaterThan(0);
    await arrived(page);
    await expect.poll(() => carried(again, OWN_HOST)).toContain(again.url('/'));
    await page.close();
  });

  it('is switched by the popup for the site that the tab shows, by its name', async () => {
    const popup = await browser.context.newPage();
    await popup.goto(new URL('popup.html', bench.installation.origin).href);
    const page = await open(bench.server.visit(SITE));
    await page.bringToFront();
    // it is told of what is held, and looks which tab is in front
    await expect.poll(() => popup.locator('#site-label').innerText()).toContain(OWN_HOST);
    expect(await popup.locator('#siteEnabled').isChecked()).toBe(true);
    await popup.evaluate(() => document.getElementById('siteEnabled')?.click());
    await expect.poll(() => popup.locator('#headline').innerText()).toBe('Off for this site');
    await expect.poll(() => options.locator('#sites li').count()).toBe(1);
    await popup.evaluate(() => document.getElementById('siteEnabled')?.click());
    await expect.poll(() => popup.locator('#headline').innerText()).not.toBe('Off for this site');
    await expect.poll(() => options.locator('#sites li').count()).toBe(0);
    await page.close();
    await popup.close();
  });
});
