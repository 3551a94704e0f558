import { once } from 'node:events';
import { connect, type ClientHttp2Session, type ClientHttp2Stream, type Http2Server } from 'node:http2';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { PushedAnswers } from '../relay/pushedAnswers.ts';
import type { RequestCarrier } from '../relay/requestCarrier.ts';
import { portOf } from '../../../shared/src/node/testing/localServer.ts';

/** A carrier in clear, without a control stream, whose relay is silent when a test says so. */
export interface PlainCarrier extends RequestCarrier {
  readonly session: ClientHttp2Session;
  readonly pushed: PushedAnswers;
  isSilent: boolean;
  /** What is called when the relay has become silent. */
  late: () => boolean;
  /** Streams and their new levels. */
  readonly ranked: [stream: number, level: number][];
}

export async function plainCarrier(relay: Http2Server, pushed = new PushedAnswers(() => true)): Promise<PlainCarrier> {
  const session = connect(`http://127.0.0.1:${portOf(relay)}`);
  session.on('error', () => undefined);
  await once(session, 'connect');
  session.on('stream', (stream: ClientHttp2Stream, _headers: unknown, _flags: number, raw: RawHeaders) => pushed.promised(stream, raw));
  const carrier: PlainCarrier = {
    session, pushed, isSilent: false, late: () => false, ranked: [],
    get isOpen() {
      return !session.destroyed && !session.closed;
    },
    get localAddress() {
      return session.destroyed ? '' : (session.socket.localAddress ?? '');
    },
    request: (fields, endStream) => session.request([...fields], { endStream }),
    takePushed: (fields) => pushed.take(fields),
    connect: () => undefined,
    promisedCookie: (url, headers) => pushed.cookieFor(url, headers),
    overtaken: () => undefined,
    onLate: (late) => {
      carrier.late = late;
      return () => undefined;
    },
    rank: (stream, level) => void carrier.ranked.push([stream, level]),
    onClosed: (closed) => {
      session.once('close', closed);
      return () => void session.off('close', closed);
    },
  };
  return carrier;
}
