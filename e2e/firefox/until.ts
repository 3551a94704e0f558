import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
const LIMIT_MS = 60_000;

/** @throws Error when it is not so in a minute */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`not so after ${LIMIT_MS} ms: ${isSo.toString()}`);
    await sleep(POLL_MS);
  }
}
