import type { ServerHttp2Stream } from 'node:http2';

/**
 * Breaks a stream off (INTERNAL_ERROR), so that nobody takes what has come of it for the whole. Not with Node's `close` and a code of our own: that ends the stream (END_STREAM) in the frame before it
 * resets it.
 */
export function breakOffStream(stream: ServerHttp2Stream, why: string): void {
  stream.destroy(new Error(why));
}

/** Node closes a stream that was reset, by either side, only when all that has come is read. Not at once: a code of our own would not leave. */
export function destroySoon(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.destroy());
}
