import type { FirstScreenNeeds } from '../../../shared/src/memory/neededObject.ts';
import { firstScreenNeeds } from './firstScreenNeeds.ts';
import { imagesAreThere } from './firstScreenTiming.ts';

/** Of a page that is parsed. A frame or a script that does not come keeps it from its `load` event, and nobody stays for that. */
const LATE_MS = 5_000;

/** What the first screen needed: read at rest, or, of a page that loads for longer, when its images in view are there. */
export function needsInTime(atRest: Promise<FirstScreenNeeds>): Promise<FirstScreenNeeds> {
  return Promise.race([atRest, needsOfLate(atRest)]);
}

async function needsOfLate(atRest: Promise<FirstScreenNeeds>): Promise<FirstScreenNeeds> {
  await parsed();
  await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  if (document.readyState === 'complete') return await atRest;
  const needs = await firstScreenNeeds();
  await imagesAreThere(needs);
  return needs;
}

async function parsed(): Promise<void> {
  if (document.readyState === 'loading') await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
}
