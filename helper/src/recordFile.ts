import { appendFileSync } from 'node:fs';
import { EventBuffer } from '../../shared/src/requests/eventBuffer.ts';
import { RequestRecorder } from '../../shared/src/requests/requestRecorder.ts';

/** What a page of a thousand objects brings about in half a second is less. */
const CAPACITY = 10_000;
/** Seldom, as writing takes the time of the page; sooner than a load is taken for ended. */
const WRITE_MS = 500;
const NS_PER_MS = 1e6;

/**
 * A recorder whose events are written to a file, one JSON object a line. Their time is CLOCK_MONOTONIC, in
 * milliseconds, which all processes of a machine share: the clock of the emulated link and of its servers.
 *
 * @param path of a file that is made, or appended to
 */
export function recorderTo(path: string): RequestRecorder {
  const buffer = new EventBuffer(CAPACITY);
  // both are of that clock; this one has another zero, and makes no BigInt each time
  const zeroMs = Number(process.hrtime.bigint()) / NS_PER_MS - performance.now();
  let isWaiting = false;
  const write = (): void => {
    isWaiting = false;
    appendFileSync(path, buffer.take().map((event) => `${JSON.stringify(event)}\n`).join(''), { mode: 0o600 });
  };
  return new RequestRecorder((event) => {
    buffer.push(event);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(write, WRITE_MS).unref();
  }, () => zeroMs + performance.now());
}
