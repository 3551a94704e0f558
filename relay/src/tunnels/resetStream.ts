import type { ServerHttp2Stream } from 'node:http2';

/** Breaks a stream off with a code of HTTP/2. */
export function resetStream(stream: ServerHttp2Stream, code: number): void {
  stream.close(code);
  destroySoon(stream);
}

/** Node closes a stream that was reset, by either side, only when all that has come is read. Not at once: the code of our own would not leave. */
export function destroySoon(stream: ServerHttp2Stream): void {
  setImmediate(() => stream.destroy());
}
