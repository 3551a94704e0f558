import type { ClientHttp2Session } from 'node:http2';

/**
 * Has the fields behind a body come when all of the body has been read. Node tells of them when they arrive, and undici takes them for the end of the answer: of one that is read slowly it would
 * lose the rest without a word.
 */
export function trailersBehindData(session: ClientHttp2Session): void {
  const request = session.request.bind(session);
  session.request = (...options) => {
    const stream = request(...options);
    const emit = stream.emit.bind(stream) as (event: string | symbol, ...values: unknown[]) => boolean;
    let trailers: readonly unknown[] | null = null;
    stream.emit = (event: string | symbol, ...values: unknown[]): boolean => {
      if (event === 'trailers' && !stream.readableEnded) {
        trailers = values;
        return true;
      }
      if (event === 'end' && trailers !== null) emit('trailers', ...trailers);
      return emit(event, ...values);
    };
    return stream;
  };
}
