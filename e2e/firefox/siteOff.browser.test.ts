import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import type { Chrome } from '../gate/browsers.ts';
import { OTHER_HOST, OWN_HOST, TestServer, type Visit } from '../gate/server.ts';
import { SITE, openHeld, readCounts } from '../gate/siteOff.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** In which the helper has written down what it was asked for. */
const SETTLED_MS = 1_200;
/** In which the gate would have let go of a part only. */
const AT_ONCE_MS = 3_000;

describe('Firefox: off for a site', () => {
  let server: TestServer;
  let helper: OwnNamesHelper;
  let browser: FirefoxBrowser;
  let options: Page;
  beforeAll(async () => {
    server = await TestServer.start();
    helper = await OwnNamesHelper.make([OWN_HOST, OTHER_HOST]);
    browser = await FirefoxBrowser.firstscreen({ helper: helper.script });
    options = await browser.openOwnPage('options.html');
    await options.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ connections: true, anyLink: true, alwaysHold: true }));
    await options.waitForFunction(() => document.getElementById('connections-note')?.textContent.startsWith('In use') === true);
  });
  afterAll(async () => {
    await browser.close();
    await helper.remove();
    await server.close();
  });

  const countsOf = (visit: Visit): ReturnType<typeof readCounts> => options.evaluate(readCounts, visit.url('/'));
  const carried = async (visit: Visit): Promise<string[]> => (await helper.urls()).filter((url) => [OWN_HOST, OTHER_HOST].some((host) => url.startsWith(visit.url('/', host))));
  const rowCount = (): Promise<number> => options.evaluate(() => document.querySelectorAll('#sites li').length);

  async function open(visit: Visit): Promise<Page> {
    const page = await browser.newPage();
    // Firefox's `load` waits for held images
    await page.goto(visit.url('/'), { waitUntil: 'domcontentloaded' });
    return page;
  }

  async function arrived(page: Page): Promise<void> {
    await page.waitForFunction(() => document.readyState === 'complete' && document.images.length > 0 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
  }

  it('what is held goes at once, then nothing is held or goes by the helper, of whatever host; switched on again, both do from the next load on', async () => {
    const { visit: before, page: held } = await openHeld(
      async () => {
        const visit = server.visit(SITE);
        visit.hold(/jpg/);
        return { visit, page: await open(visit) };
      },
      ({ visit }) => countsOf(visit),
      async ({ visit, page }) => {
        visit.letGo();
        await page.close();
      },
    );
    await expect.poll(() => carried(before)).toContain(before.url('/'));

    await options.type('#site-text', OWN_HOST);
    await options.click('#site-form button');
    const isAllReleased = async (): Promise<boolean> => {
      const counts = await countsOf(before);
      return counts !== null && counts.released === counts.held;
    };
    await expect.poll(isAllReleased, { timeout: AT_ONCE_MS }).toBe(true);
    before.letGo();
    await arrived(held);
    await held.close();

    const off = server.visit(SITE);
    const page = await open(off);
    await arrived(page);
    expect(await countsOf(off)).toEqual({ held: 0, released: 0 });
    await sleep(SETTLED_MS);
    expect(await carried(off)).toEqual([]);

    await options.click('#sites li button');
    await expect.poll(rowCount).toBe(0);
    const again = server.visit(SITE);
    const next = await open(again);
    await expect.poll(async () => (await countsOf(again))?.held).toBeGreaterThan(0);
    await arrived(next);
    await expect.poll(() => carried(again)).toContain(again.url('/'));
  });
});
