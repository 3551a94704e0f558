import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chrome } from '../gate/browsers.ts';
import { AT_ONCE, SETTLED_MS, SLOW_SITE, imagesOf, itSavesData } from '../gate/dataSaver.ts';
import { TestServer } from '../gate/server.ts';
import { FirefoxBrowser } from './firefoxBrowser.ts';

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
    await options.evaluate(async (changes) => {
      const { runtime, storage } = (globalThis as unknown as Chrome).chrome;
      await storage.local.set(changes);
      // answered when settings are in force
      await runtime.sendMessage({ type: 'status', tabId: -1 });
    }, settings);
  }

  // not after a test that has it off for the site
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

  itSavesData(() => ({ server, newPage: () => browser.newPage(), change }));
});
