import type { Writable } from 'node:stream';
import type { SpooledBody } from './spooledBody.ts';

/** Gives a body to whoever takes it, as fast as that is, and ends with it. @throws what ended the body before */
export async function pump(body: SpooledBody, sink: Writable, isGone: () => boolean): Promise<void> {
  for await (const chunk of body.read()) {
    if (!sink.write(chunk) && !isGone()) await drained(sink);
  }
  sink.end();
}

/** There is room for more, or nobody to take it. */
async function drained(sink: Writable): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      sink.off('drain', done).off('close', done);
      resolve();
    };
    sink.on('drain', done).on('close', done);
  });
}
