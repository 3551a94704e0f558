import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;
const LIMIT_MS = 60_000;

/** @param what is not so, for the error @throws Error when it is not so in time */
export async function until(isSo: () => boolean | Promise<boolean>, what: string | (() => string) = () => isSo.toString(), limitMs = LIMIT_MS): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error(`not so after ${limitMs} ms: ${typeof what === 'string' ? what : what()}`);
    await sleep(POLL_MS);
  }
}
