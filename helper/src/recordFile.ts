import { appendFileSync } from 'node:fs';
import { EventBuffer } from '../../shared/src/requests/eventBuffer.ts';
import type { Recording } from '../../shared/src/requests/recording.ts';

/** What a page of a thousand objects brings about in half a second is less. */
const CAPACITY = 10_000;
/** Seldom, as writing takes the time of the page; sooner than a load is taken for ended. */
const WRITE_MS = 500;

/**
 * Writes all that is recorded from now on to a file, one JSON object a line.
 *
 * @param path of a file that is made, or appended to
 */
export function recordTo(path: string, recording: Recording): void {
  const buffer = new EventBuffer(CAPACITY);
  let isWaiting = false;
  const write = (): void => {
    isWaiting = false;
    appendFileSync(path, buffer.take().map((event) => `${JSON.stringify(event)}\n`).join(''), { mode: 0o600 });
  };
  recording.listen((event) => {
    buffer.push(event);
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(write, WRITE_MS).unref();
  });
}
