import { constants } from 'node:http2';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import { RECEIVE_WINDOW_BYTES } from '../../../shared/src/fetching/streamCredits.ts';
import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import { rawOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { BodyReading } from './bodyReading.ts';
import { NOT_TAKEN, NotSent, type CountedOnLink, type SentStream, type Told, type UpstreamConnection } from './connection.ts';
import { unreadableAnswer, type ResponseSink, type UpstreamRequest } from './fetch.ts';

const MISDIRECTED = 421;
const REQUEST_TIMEOUT = 408;
/**
 * What undici calls an answer over HTTP/1.1 that its parser does not take: it is stricter than browsers, and takes no length beside chunks, no name with a space in it, and no space behind a chunk's size. The second once a
 * length was said.
 */
const UNREADABLE: ReadonlySet<string> = new Set(['HTTPParserError', 'ResponseContentLengthMismatchError']);
/**
 * What Node resets a stream with that brings more fields, or longer ones, than it takes; or what browsers pass over: a field of one connection, as Upgrade (RFC 9113, section 8.2.2), or a length that is
 * longer than its body (section 8.1.1).
 */
const UNREADABLE_STREAM: ReadonlySet<number> = new Set([constants.NGHTTP2_ENHANCE_YOUR_CALM, constants.NGHTTP2_PROTOCOL_ERROR]);

/** Who has a request transferred. Exactly one of `ended`, `repeat` and `failed` is called, last, while it is wanted. */
export interface TransferHost {
  /** As they go to the server. */
  readonly headers: RawHeaders;
  /** Whether it may be repeated if it is lost without a byte, as far as its sender knows. */
  readonly mayRepeat: boolean;
  /** Whether anybody still waits for this transfer. */
  isWanted(): boolean;
  /** It has failed, wanted or not: the connection may be gone with it. */
  lost(): void;
  /** Whether its body comes by credit. */
  readonly isCredited: boolean;
  readonly told: Told;
  /** It has left. */
  left(stream: SentStream): void;
  /** The answer has begun. @param length of its body, where it is said */
  answered(length: number | null, status: number, fields: RawHeaders): void;
  /** So much has come of it, and so much is still to come, where that is known; asked before the piece is passed on. */
  received(bytes: number, bytesToCome: number | null): void;
  /** Whether its sink takes no more for now. */
  held(isHeld: boolean): void;
  /** @param sample null where it tells nothing of the link */
  ended(trailers: RawHeaders, sample: TransferSample | null): void;
  /** It was lost before anything came, and may be made again. */
  repeat(): void;
  /** The server says that nothing more is to be asked of it on this connection: it is not one for its origin, or was silent for too long (RFC 9110, sections 15.5.20 and 15.5.9). */
  unusable(): void;
  failed(error: FirstscreenError, wasSent: boolean): void;
}

/** One that is under way. */
export interface Transfer {
  /** Whether it may be made again elsewhere: a safe request that nothing has come of, the first time. */
  readonly mayRepeat: boolean;
  /** Whether its answer has begun to come. */
  readonly hasBegun: boolean;
  stop(reason: Error): void;
}

/** Transfers one request over a connection. @param sink gets the answer */
export function transfer({ method, path, body, origin }: UpstreamRequest, sink: Pick<ResponseSink, 'informed' | 'started' | 'data'>, connection: UpstreamConnection, host: TransferHost): Transfer {
  const startMs = performance.now();
  const bytesBefore = connection.receivedBytes;
  let headersMs = 0;
  let bytes = 0;
  let length: number | null = null;
  const wasReused = connection.isReused;
  let isUntouched = host.mayRepeat && body === null && isSafe(method);
  let isTooLate = false;
  let controller: Dispatcher.DispatchController | null = null;
  let reading: BodyReading | null = null;
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (begun) => {
      controller = begun;
      // over HTTP/2 credit is the server's, and its connection says when a request has left
      const isByCredit = host.isCredited && !connection.isH2;
      const current = (reading = new BodyReading(begun, isByCredit));
      if (!host.isWanted()) begun.abort(new Error('wanted no more'));
      else if (isByCredit) host.left({ unreadBytes: RECEIVE_WINDOW_BYTES, give: (more) => current.give(more), prioritize: () => undefined });
    },
    onResponseStart: ({ rawHeaders }, status, _headers, statusText) => {
      connection.isReused = true;
      const fields = rawOf(rawHeaders);
      // whether it is asked again is the browser's to say
      if (status === MISDIRECTED) host.unusable();
      // it was said of the silence before this request, which browsers make again, but not over HTTP/2, which may be what they speak with us
      if (status === REQUEST_TIMEOUT && isUntouched && wasReused && !connection.isH2) {
        isTooLate = true;
        host.unusable();
        controller?.abort(new Error('the connection was silent for too long'));
        return;
      }
      isUntouched = false;
      if (status < 200) {
        sink.informed(status, fields);
        return;
      }
      headersMs = performance.now();
      length = lengthOf(fields);
      host.answered(length, status, fields);
      // undici reads it as UTF-8; its bytes are those of Latin-1, as a field's are
      sink.started(status, Buffer.from(statusText ?? '').toString('latin1'), fields);
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.length;
      connection.received(chunk.length);
      host.received(chunk.length, length === null ? null : length - bytes);
      reading?.received(chunk.length, length !== null && bytes >= length);
      const wait = sink.data(chunk);
      if (wait === null) return;
      reading?.hold(true);
      host.held(true);
      void wait.then(() => {
        host.held(false);
        reading?.hold(false);
      });
    },
    onResponseEnd: (ended: Dispatcher.DispatchController & Partial<CountedOnLink>) => {
      connection.ended();
      const { rawTrailers, linkBytes = bytes } = ended;
      if (host.isWanted()) host.ended(rawOf(rawTrailers), linkBytes === null ? null : { startMs, setup: 'none', headersMs, endMs: performance.now(), bytes: linkBytes });
    },
    onResponseError: (_, error) => {
      connection.ended();
      host.lost();
      if (!host.isWanted()) return;
      // records of TLS itself are bytes too, and so is what comes for others
      const hasBytes = origin.startsWith('http:') && !connection.isH2 && connection.receivedBytes !== bytesBefore;
      if (error instanceof NotSent) host.failed(error.reason, false);
      else if (error instanceof FirstscreenError && error.code === 'E_CLIENT_CERTIFICATE') host.failed(error, true);
      // browsers ask again so, whatever the method
      else if (headersMs === 0 && streamErrorOf(error) === constants.NGHTTP2_HTTP_1_1_REQUIRED) host.failed(unreadableAnswer(error), false);
      else if (connection.isH2 ? UNREADABLE_STREAM.has(streamErrorOf(error) ?? 0) : UNREADABLE.has(error.name)) host.failed(unreadableAnswer(error), true);
      else if (isTooLate || (isUntouched && !hasBytes && (wasReused || connection.isLostWithRelay)) || (host.mayRepeat && error === NOT_TAKEN)) host.repeat();
      else host.failed(new FirstscreenError('E_UPSTREAM', 'The server ended the connection before the answer was there.', 'Load the page again.', { cause: error }), error !== NOT_TAKEN);
    },
  };
  // undici ends a body with what has ended the request, when it listens to it no more
  if (body instanceof Readable) body.on('error', () => undefined);
  connection.send({ method, path, headers: [...host.headers], body, idempotent: isSafe(method), blocking: false }, handler, (stream) => host.left(stream), host.told);
  return {
    get mayRepeat() {
      return isUntouched;
    },
    get hasBegun() {
      return headersMs > 0;
    },
    stop: (reason) => controller?.abort(reason),
  };
}

/** With what a stream was reset (RFC 9113, section 7), as undici says it. */
function streamErrorOf(error: Error & { readonly http2ErrorCode?: number }): number | undefined {
  return error.http2ErrorCode;
}
