import type { Writable } from 'node:stream';

/** There is room for more in a stream, or nobody to take it. */
export async function drained(sink: Writable, isGone: boolean): Promise<void> {
  if (isGone) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      sink.off('drain', done);
      sink.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    sink.on('close', done);
  });
}
