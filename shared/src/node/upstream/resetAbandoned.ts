import { constants, type ClientHttp2Session } from 'node:http2';

/**
 * Has a server told, at once, of each request that is given up. undici closes such a stream without a reason, and
 * destroys it; Node holds the word back until all was written, and a destroyed stream says none. So the server hears
 * nothing of a request that is given up in the moment it is sent, as where a browser's session ends and what has waited
 * goes and ends in one turn, nor of one whose body it does not take. What it answers makes a stream that nobody knows
 * then: nobody reads it, and the connection's end is its error, which nobody listens to. A body that is cut off Node ends
 * before it resets the stream, as if it were whole; of one that is destroyed with an error the server hears that alone.
 */
export function resetAbandoned(session: ClientHttp2Session): void {
  const request = session.request.bind(session);
  session.request = (...options) => {
    const stream = request(...options);
    const close = stream.close.bind(stream);
    stream.close = (code = constants.NGHTTP2_CANCEL, callback) => {
      if (stream.writableEnded || code === constants.NGHTTP2_NO_ERROR) close(code, callback);
      else stream.on('error', () => undefined).destroy(new Error('the request was given up'));
    };
    return stream;
  };
}
