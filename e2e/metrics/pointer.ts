import { setTimeout as sleep } from 'node:timers/promises';
import type { PageLink } from './collectLinks.ts';

/** Of Playwright and of puppeteer. */
export interface Pointer {
  move(x: number, y: number, options: { readonly steps: number }): Promise<void>;
  down(): Promise<void>;
  up(): Promise<void>;
}

/** A hand moves for about as long, with an event a frame. */
const MOVE_STEPS = 16;
/** People rest on a link some 200 to 300 ms before they press (what instant.page and others build on). */
const REST_MS = 250;
/** From press to release. */
const PRESS_MS = 80;

/** Moves the pointer to a link and lets it rest there, as people do before they press. */
export async function pointAt(pointer: Pointer, { x, y }: PageLink): Promise<void> {
  await pointer.move(x, y, { steps: MOVE_STEPS });
  await sleep(REST_MS);
}

export async function press(pointer: Pointer): Promise<void> {
  await pointer.down();
  await sleep(PRESS_MS);
  await pointer.up();
}
