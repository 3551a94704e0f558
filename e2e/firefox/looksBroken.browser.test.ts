import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import type { Chrome } from '../gate/browsers.ts';
import { OTHER_HOST, OWN_HOST, TestServer, type Visit } from '../gate/server.ts';
import { SITE, readCounts } from '../gate/siteOff.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** In which the helper has written down what it was asked for. */
const SETTLED_MS = 1_200;

interface ExtensionPage {
  readonly chrome: {
    readonly tabs: { query(filter: object): Promise<readonly { readonly id: number; readonly url?: string }[]> };
    readonly runtime: { sendMessage(question: object): Promise<boolean> };
  };
}

/** As the popup asks for it. Runs in a page of the extension, as text. */
async function goWithout(url: string): Promise<boolean> {
  const { tabs, runtime } = (globalThis as unknown as ExtensionPage).chrome;
  const tab = (await tabs.query({})).find((each) => each.url === url);
  return tab !== undefined && runtime.sendMessage({ type: 'loadWithout', tabId: tab.id });
}

describe('Firefox: a page that looks broken', () => {
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
  const loadsOf = (visit: Visit): number => visit.requests.filter(({ name }) => name === `${OWN_HOST}/`).length;

  async function arrived(page: Page): Promise<void> {
    await page.waitForFunction(() => document.readyState === 'complete' && document.images.length > 0 && [...document.images].every(({ naturalWidth }) => naturalWidth > 0));
  }

  async function isHelped(visit: Visit): Promise<void> {
    await expect.poll(async () => (await countsOf(visit))?.held).toBeGreaterThan(0);
    await expect.poll(() => carried(visit)).not.toEqual([]);
  }

  it('is loaded once with nothing held and nothing by the helper; the next page has both again', async () => {
    const page = await browser.newPage();
    const visit = server.visit(SITE);
    // Firefox's `load` waits for held images
    await page.goto(visit.url('/'), { waitUntil: 'domcontentloaded' });
    await isHelped(visit);
    await arrived(page);
    await sleep(SETTLED_MS);
    const before = await carried(visit);

    expect(await options.evaluate(goWithout, visit.url('/'))).toBe(true);
    await expect.poll(() => loadsOf(visit)).toBe(2);
    await arrived(page);
    expect(await countsOf(visit)).toEqual({ held: 0, released: 0 });
    await sleep(SETTLED_MS);
    expect(await carried(visit)).toEqual(before);

    const next = server.visit(SITE);
    await page.goto(next.url('/'), { waitUntil: 'domcontentloaded' });
    await isHelped(next);
    await arrived(page);
  });

  it('is not loaded where its tab is gone', async () => {
    expect(await options.evaluate(() => (globalThis as unknown as ExtensionPage).chrome.runtime.sendMessage({ type: 'loadWithout', tabId: 123_456 }))).toBe(false);
  });
});
