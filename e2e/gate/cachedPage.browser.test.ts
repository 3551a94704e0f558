import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrived } from './arrival.ts';
import type { TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';
import { OWN_HOST } from './server.ts';
import { readCounts } from './siteOff.ts';

const COUNT = 20;
/** Each image that is added waits for the one before: what comes over the network is told when it has begun to come. */
const LATER = 5;
const CACHED = '?maxage';

/** By policy, where every image of a page is held from its first. */
describe('a page out of the cache', () => {
  let ground: Ground;
  let browser: TestBrowser;
  let own: Page;
  let page: Page;
  beforeAll(async () => {
    ground = await Ground.make();
    browser = await ground.openFirstscreen();
    [own, page] = [await browser.context.newPage(), await browser.context.newPage()];
    await own.goto(`${ground.installation.origin}popup.html`);
  });
  afterAll(async () => {
    await browser.close();
    await ground.close();
  });

  const heldOf = async (url: string): Promise<number | undefined> => (await own.evaluate(readCounts, url))?.held;

  it('has nothing held, and is held again as soon as an image of it comes over the network', async () => {
    const images = Array.from({ length: COUNT }, (_, i) => `<img src="OWN/n${i}.png${CACHED}" width=20 height=20>`).join('');
    const visit = ground.server.visit({ '/': html(images), '/next': html('next') });
    const url = visit.url(`/${CACHED}`, OWN_HOST);
    await page.goto(url);
    await arrived(page);
    expect(await heldOf(url)).toBeGreaterThanOrEqual(COUNT);

    const asked = visit.requests.length;
    await page.goto(visit.url('/next'));
    await page.goto(url);
    await arrived(page);
    expect([await heldOf(url), visit.requests.length]).toEqual([0, asked + 1]);

    for (let i = 0; i < LATER; i += 1) await page.evaluate((src) => new Promise((resolve) => document.body.append(Object.assign(new Image(20, 20), { src, onload: resolve }))), visit.url(`/later${i}.png`));
    await expect.poll(() => heldOf(url)).toBeGreaterThan(0);
  });
});
