import { setTimeout as sleep } from 'node:timers/promises';
import { processorTimes } from './processorTimes.ts';

const STEP_MS = 250;
/** Of one processor: what a browser that shows nothing takes, and Playwright's questions. */
const QUIET_SHARE = 0.1;
const QUIET_STEPS = 2;
const LIMIT_MS = 8_000;

/**
 * Waits until the browser and its helper have come to rest after their start, which is no part of a load: the same rule
 * for every scheme. A browser that does not rest is measured as it is.
 *
 * @param marker as for `processorTimes`
 */
export async function atRest(marker: string): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  let last = (await processorTimes(marker)).allMs ?? 0;
  for (let quiet = 0; quiet < QUIET_STEPS && Date.now() < deadline; ) {
    await sleep(STEP_MS);
    const spent = (await processorTimes(marker)).allMs ?? 0;
    quiet = spent - last < QUIET_SHARE * STEP_MS ? quiet + 1 : 0;
    last = spent;
  }
}
