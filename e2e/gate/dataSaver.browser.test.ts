import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chrome, TestBrowser } from './browsers.ts';
import { ALL, AT_ONCE, EVENTS, EVENTS_AT_ONCE, OFF_FOR_SITE, SETTLED_MS, SITE, SOURCES, imagesOf, readSources } from './dataSaver.ts';
import { Ground } from './ground.ts';
import { readFrame } from './pageRecorder.ts';
import type { Visit } from './server.ts';

/** In which the background script has read a setting. */
const SETTING_TAKEN_MS = 1_000;

/** As the extension is installed by policy. */
describe('the data saver', () => {
  let ground: Ground;
  let browser: TestBrowser;
  beforeAll(async () => {
    ground = await Ground.make();
    browser = await ground.openFirstscreenWhenFull();
  });
  afterAll(async () => {
    await browser.close();
    await ground.close();
  });

  async function change(settings: object): Promise<void> {
    await (await browser.worker()).evaluate((changes) => (globalThis as unknown as Chrome).chrome.storage.local.set(changes), settings);
    await sleep(SETTING_TAKEN_MS);
  }

  /** Until its window's `load`. */
  async function load(visit: Visit): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(visit.url('/'), { waitUntil: 'load' });
    await sleep(SETTLED_MS);
    return page;
  }

  it('leaves images that are far until somebody scrolls to them, and the page is loaded without them, and sees nothing fail', async () => {
    await change({ dataSaver: true });
    const visit = ground.server.visit(SITE);
    const page = await load(visit);
    expect(imagesOf(visit)).toEqual(AT_ONCE);
    expect(await page.evaluate(readFrame)).toMatchObject({ loads: 1, events: EVENTS_AT_ONCE });
    expect(await page.evaluate(readSources)).toEqual(SOURCES);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => imagesOf(visit)).toEqual(ALL);
    await expect.poll(async () => (await page.evaluate(readFrame)).events).toEqual(EVENTS);
    await page.close();
  });

  it('leaves none of a site that it is off for', async () => {
    await change({ dataSaver: true, sites: OFF_FOR_SITE });
    const visit = ground.server.visit(SITE);
    const page = await load(visit);
    expect(imagesOf(visit)).toEqual(ALL);
    expect((await page.evaluate(readFrame)).events).toEqual(EVENTS);
    await page.close();
  });
});
