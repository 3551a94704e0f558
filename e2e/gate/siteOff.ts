import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Counts } from './extensionPage.ts';
import { html } from './harness.ts';
import type { Site, TestServer, Visit } from './server.ts';

/** So many that a gate that nobody opens would take ten times as long as the tests wait. */
const FAR_COUNT = 150;
/** A page of two hosts, with a frame of the other one, which is asked for before images take all connections to it. */
export const SITE: Site = {
  '/': html(
    `<iframe src="OTHER/frame.html"></iframe><img src="near.jpg" width=100 height=100><div style="height:3000px"></div>${Array.from({ length: FAR_COUNT }, (_, i) => `<p><img src="${i % 2 === 0 ? 'OWN' : 'OTHER'}/far${i}.jpg" width=400 height=300>`).join('')}`,
  ),
  '/frame.html': html('<img src="in-frame.jpg" width=100 height=100>'),
};

/** In which images that are to be held are held. */
const HELD_MS = 5_000;
/** In which what is held goes that a site is switched off for: the gate lets go of each image by itself after 20 s (extension/src/platform/transparent/heldDocument.ts). */
const AT_ONCE_MS = 20_000 - HELD_MS;
const POLL_MS = 100;
/** Of a machine that is so busy that no content script comes in a second the gate lets all go. */
const ATTEMPTS = 5;

/** A browser with Firstscreen, of either driver of browsers. */
interface Helped<Page> {
  readonly server: TestServer;
  open(visit: Visit): Promise<Page>;
  countsOf(visit: Visit): Promise<Counts | null>;
  carried(visit: Visit): Promise<readonly string[]>;
}

/** Opens the page until the gate holds most of it, with no image answered. */
export async function openHeld<Page extends { close(): Promise<void> }>(browser: Helped<Page>): Promise<{ readonly visit: Visit; readonly page: Page }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const visit = browser.server.visit(SITE);
    visit.hold(/jpg/);
    const page = await browser.open(visit);
    const endMs = performance.now() + HELD_MS;
    while (performance.now() < endMs) {
      const counts = await browser.countsOf(visit);
      if (counts !== null && counts.held > FAR_COUNT && counts.released < counts.held / 2) return { visit, page };
      await sleep(POLL_MS);
    }
    visit.letGo();
    await page.close();
  }
  throw new Error('the gate holds nothing');
}

/** Settles when all that was held of a visit has gone. @throws when it does not go at once */
export async function allReleased(browser: Helped<unknown>, visit: Visit): Promise<void> {
  const isAllReleased = async (): Promise<boolean> => {
    const counts = await browser.countsOf(visit);
    return counts !== null && counts.released === counts.held;
  };
  await expect.poll(isAllReleased, { timeout: AT_ONCE_MS }).toBe(true);
}

/** Settles when the gate has held something of a visit, and something of it has gone by the helper. */
export async function isHelped(browser: Helped<unknown>, visit: Visit): Promise<void> {
  await expect.poll(async () => (await browser.countsOf(visit))?.held).toBeGreaterThan(0);
  await expect.poll(() => browser.carried(visit)).not.toEqual([]);
}
