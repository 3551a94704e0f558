import { setTimeout as sleep } from 'node:timers/promises';
import type { Counts } from './extensionPage.ts';
import { html } from './harness.ts';
import type { Site } from './server.ts';

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
export const AT_ONCE_MS = 20_000 - HELD_MS;
const POLL_MS = 100;
/** Of a machine that is so busy that no content script comes in a second the gate lets all go. */
const ATTEMPTS = 5;

/**
 * Opens the page until the gate holds most of it, with no image answered.
 *
 * @param open a visit of it @param close and answers what is asked for
 */
export async function openHeld<Opened>(open: () => Promise<Opened>, countsOf: (opened: Opened) => Promise<Counts | null>, close: (opened: Opened) => Promise<void>): Promise<Opened> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const opened = await open();
    const endMs = performance.now() + HELD_MS;
    while (performance.now() < endMs) {
      const counts = await countsOf(opened);
      if (counts !== null && counts.held > FAR_COUNT && counts.released < counts.held / 2) return opened;
      await sleep(POLL_MS);
    }
    await close(opened);
  }
  throw new Error('the gate holds nothing');
}
