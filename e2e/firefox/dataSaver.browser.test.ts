import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chrome } from '../gate/browsers.ts';
import { ALL, AT_ONCE, EVENTS, EVENTS_AT_ONCE, OFF_FOR_SITE, SETTLED_MS, SITE, SLOW_SITE, SOURCES, imagesOf, readSources } from '../gate/dataSaver.ts';
import { readFrame } from '../gate/pageRecorder.ts';
import { TestServer, type Visit } from '../gate/server.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

/** In which the background script has read a setting. */
const SETTING_TAKEN_MS = 1_000;

describe('Firefox: the data saver', () => {
  let server: TestServer;
  let browser: FirefoxBrowser;
  let options: Page;
  beforeAll(async () => {
    server = await TestServer.start();
    browser = await FirefoxBrowser.firstscreen();
    options = await browser.openOwnPage('options.html');
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  async function change(settings: object): Promise<void> {
    await options.evaluate((changes) => (globalThis as unknown as Chrome).chrome.storage.local.set(changes), settings);
    await sleep(SETTING_TAKEN_MS);
  }

  /** Until its window's `load`. */
  async function load(visit: Visit): Promise<Page> {
    const page = await browser.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'load' });
    await sleep(SETTLED_MS);
    return page;
  }

  it('leaves images that are far until somebody scrolls to them, and the page is loaded without them, and sees nothing fail', async () => {
    await change({ dataSaver: true });
    const visit = server.visit(SITE);
    const page = await load(visit);
    expect(imagesOf(visit)).toEqual(AT_ONCE);
    expect(await page.evaluate(readFrame)).toMatchObject({ loads: 1, events: EVENTS_AT_ONCE });
    expect(await page.evaluate(readSources)).toEqual(SOURCES);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => imagesOf(visit)).toEqual(ALL);
    await expect.poll(async () => (await page.evaluate(readFrame)).events).toEqual(EVENTS);
    await page.close();
  });

  it('leaves what is far in a tab that is left while it loads, too', async () => {
    await change({ dataSaver: true });
    const visit = server.visit(SLOW_SITE);
    const page = await browser.newPage();
    const loaded = page.goto(visit.url('/'), { waitUntil: 'load' });
    await expect.poll(() => visit.requests.length).toBeGreaterThan(1);
    const other = await browser.newPage();
    await other.bringToFront();
    await loaded;
    await sleep(SETTLED_MS);
    expect(await page.evaluate(() => document.visibilityState)).toBe('hidden');
    // made lazy as the others are: Firefox finds it in the view of a tab that nobody sees
    expect(imagesOf(visit)).toEqual(AT_ONCE);
    await other.close();
    await page.close();
  });

  it('leaves none of a site that it is off for', async () => {
    await change({ dataSaver: true, sites: OFF_FOR_SITE });
    const visit = server.visit(SITE);
    const page = await load(visit);
    expect(imagesOf(visit)).toEqual(ALL);
    expect((await page.evaluate(readFrame)).events).toEqual(EVENTS);
    await page.close();
  });
});
