import { constants, type ServerHttp2Stream, type ServerStreamResponseOptions } from 'node:http2';
import { PassThrough, type Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { ERROR_FIELD } from '../../../shared/src/relay/wire.ts';
import { AnswerBody } from './answerBody.ts';
import { carriedFields, groupedFields, rawOf } from './answerFields.ts';
import { requestHeadOf, type RequestHead } from './requestHead.ts';

/** Who carries the bodies of answers: the stream ends with its source (`Sender`). */
export interface BodySender {
  send(stream: ServerHttp2Stream, source: Readable, level: number): void;
}

/** Of one client; a page has no more under way, and what is beyond goes directly. */
const MAX_REQUESTS = 256;
const SWITCHING_PROTOCOLS = 101;
/** What the relay answers by itself (docs/relay.md). */
const STATUS_OF: Partial<Readonly<Record<ErrorCode, number>>> = { E_ADDRESS: 403, E_NAME: 502, E_CONNECT: 502, E_UPSTREAM_TLS: 502, E_CLIENT_CERTIFICATE: 502, E_RELAY_LIMIT: 429, E_RELAY_UNSUPPORTED: 501 };
/** RFC 9110, section 6.4.1. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
/** The server says what day it is, or nobody; of that option the types do not know. */
const WITHOUT_DATE: ServerStreamResponseOptions = { ...({ sendDate: false } as object) };
const WITH_TRAILERS: ServerStreamResponseOptions = { ...WITHOUT_DATE, waitForTrailers: true };
/** What undici does not send. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);
/** A connection that was kept and has ended meanwhile, as undici tells it. */
const CONNECTION_LOST = 'UND_ERR_SOCKET';

/**
 * Requests of one client that the relay makes for it. What a server answers is passed on as it is, what ends early is reset, and what can not be done has a code, by which the helper knows
 * that nothing has reached the server.
 */
export class ClientRequests {
  private readonly agent: Agent;
  private readonly bodies: BodySender;
  private readonly maxRequests: number;
  private count = 0;

  /** @param agent of this client alone; it is ended with this */
  constructor(agent: Agent, bodies: BodySender, maxRequests = MAX_REQUESTS) {
    this.agent = agent;
    this.bodies = bodies;
    this.maxRequests = maxRequests;
  }

  /** @param raw fields of the stream's request */
  make(stream: ServerHttp2Stream, raw: RawHeaders): void {
    // told by its close
    stream.on('error', () => undefined);
    const head = requestHeadOf(raw);
    if (head === null) refuse(stream, 'E_RELAY_UNSUPPORTED');
    else if (this.count >= this.maxRequests) refuse(stream, 'E_RELAY_LIMIT');
    else {
      this.count += 1;
      stream.once('close', () => (this.count -= 1));
      this.dispatch(stream, head, stream.endAfterHeaders ? null : bodyOf(stream), true);
    }
  }

  /** What is on the way is cut off. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /** @param mayRepeat whether it may be made again where it has met the end of a connection that was kept */
  private dispatch(stream: ServerHttp2Stream, head: RequestHead, body: Readable | null, mayRepeat: boolean): void {
    const { method, origin, path, fields } = head;
    let controller: Dispatcher.DispatchController | null = null;
    let answer: AnswerBody | null = null;
    let trailers: RawHeaders = [];
    let isOver = false;
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (begun) => {
        controller = begun;
        if (stream.destroyed) begun.abort(new Error('the helper wants it no more'));
      },
      onResponseStart: (begun, status, headers) => {
        if (stream.destroyed || status === SWITCHING_PROTOCOLS) {
          begun.abort(new Error('nobody takes this answer'));
          return;
        }
        const received = rawOf(begun.rawHeaders ?? headers);
        if (status < 200) {
          stream.additionalHeaders({ ':status': status, ...groupedFields(received) });
          return;
        }
        const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(status);
        stream.respond([':status', String(status), ...carriedFields(received)], hasBody ? WITH_TRAILERS : WITHOUT_DATE);
        answer = new AnswerBody(() => begun.resume());
        stream.once('wantTrailers', () => {
          stream.sendTrailers(groupedFields(trailers));
          // of what is left of its body nothing is wanted (RFC 9113, section 8.1)
          if (body?.readableEnded === false) stream.close(constants.NGHTTP2_NO_ERROR);
        });
        if (hasBody) this.bodies.send(stream, answer, head.level);
        else answer.resume();
      },
      onResponseData: (begun, chunk) => {
        if (answer?.add(chunk) === false) begun.pause();
      },
      onResponseEnd: (begun, received) => {
        isOver = true;
        trailers = rawOf(begun.rawTrailers ?? received);
        answer?.end();
      },
      onResponseError: (_, error) => {
        isOver = true;
        // an end of what has begun would say that it is whole
        if (stream.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
        else if (!stream.destroyed) this.failed(stream, head, body, error, mayRepeat);
      },
    };
    stream.once('close', () => {
      if (!isOver) controller?.abort(new Error('the helper wants it no more'));
      answer?.destroy();
    });
    this.agent.dispatch({ origin, path, method, headers: fields, body, idempotent: isSafe(method), blocking: false }, handler);
  }

  /** A request that has not been answered: what is refused before it has left has a code, and of all else nobody knows whether the server has got it. */
  private failed(stream: ServerHttp2Stream, head: RequestHead, body: Readable | null, error: Error & { readonly code?: unknown }, mayRepeat: boolean): void {
    if (error instanceof FirstscreenError) refuse(stream, error.code);
    else if (NOT_SENT.has(error.code)) refuse(stream, 'E_RELAY_UNSUPPORTED');
    else if (mayRepeat && body === null && isSafe(head.method) && error.code === CONNECTION_LOST) this.dispatch(stream, head, null, false);
    else stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }
}

function refuse(stream: ServerHttp2Stream, code: ErrorCode): void {
  if (stream.destroyed) return;
  stream.respond({ ':status': STATUS_OF[code] ?? STATUS_OF.E_RELAY_UNSUPPORTED, [ERROR_FIELD]: code in STATUS_OF ? code : 'E_RELAY_UNSUPPORTED' }, { endStream: true });
  // of its body nothing more is wanted (RFC 9113, section 8.1)
  stream.close(constants.NGHTTP2_NO_ERROR);
}

/** The body of a request: one that is cut off has no end. */
function bodyOf(stream: ServerHttp2Stream): Readable {
  const body = new PassThrough();
  // undici says it in its own words
  body.on('error', () => undefined);
  stream.pipe(body, { end: false });
  stream.once('end', () => {
    if (!stream.aborted && stream.rstCode === constants.NGHTTP2_NO_ERROR) body.end();
  });
  stream.once('close', () => {
    if (!body.writableEnded) body.destroy(new Error('the body was cut off'));
  });
  return body;
}
