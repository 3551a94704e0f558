import { constants, type ServerHttp2Stream } from 'node:http2';
import { PassThrough, type Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from 'undici';
import * as v from 'valibot';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';
import { JAVASCRIPT, mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import { groupedFields, rawOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { shortBody } from '../../../shared/src/node/http/shortBody.ts';
import type { DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import { carriedFields } from '../../../shared/src/node/relay/carriedFields.ts';
import { Room } from '../../../shared/src/node/reading/room.ts';
import { ERROR_FIELD, LEVEL_FIELD, PUSH_FIELD, PushSchema, SERVERS_FIELD, ServersSchema } from '../../../shared/src/relay/wire.ts';
import type { AnswerSink } from '../encoding/answerSink.ts';
import { AnswerCoding } from '../encoding/answerCoding.ts';
import { withVariantTag } from '../encoding/variantTag.ts';
import type { StreamOrder } from '../queue/sendQueue.ts';
import { STATUS_OF } from '../statuses.ts';
import { PagePushes, type Push } from './pagePushes.ts';
import { requestHeadOf, type RequestHead } from './requestHead.ts';
import type { ServerAgent } from './serverAgent.ts';
import { readSheetServers } from './sheetServers.ts';
import { StreamAnswer, cutOff } from './streamAnswer.ts';

/** Who carries the bodies of answers: the stream ends with its source (`Sender`). */
export interface BodySender {
  /** The level of a stream's body now. @param level of it where nobody has told another one since */
  levelOf(stream: ServerHttp2Stream, level: number): number;
  /** Whether there is something to carry meanwhile that is as urgent. */
  isBusy(level: number): boolean;
  /** There is a stream that the helper has not made. */
  opened(stream: ServerHttp2Stream): void;
  send(stream: ServerHttp2Stream, source: Readable, level: number, order: StreamOrder): void;
}

/** Looks into an answer as it passes; null for one that is nobody's concern. */
type AnswerReader = (status: number, fields: RawHeaders) => DecodedPeek | null;

/** A request that is made, or will be. */
interface Relayed {
  readonly stream: ServerHttp2Stream;
  readonly head: RequestHead;
  /** Its fields as the browser has them; the server may be asked in other words. */
  readonly asked: RawHeaders;
  readonly body: Readable | null;
  readonly read: AnswerReader;
  readonly bodies: BodySender;
}

const UNREAD: AnswerReader = () => null;
/** Of one client; a page has no more under way, and what is beyond goes directly. */
const MAX_REQUESTS = 256;
/** What a client was given so lately its browser is likely to have: frames and next pages of a site name it again. */
const GIVEN_MS = 600_000;
const MAX_GIVEN = 5_000;
const MAX_GIVEN_CHARS = 4 * 1024 * 1024;
/**
 * Of one client, what was decoded of documents and style sheets that are read as they pass. Decoders and readers may keep all of it: a server can have each keep 8 MB for a few hundred bytes, and say no more.
 * Those of a page are a few megabytes.
 */
const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Answers before the answer (1xx) that are passed on: they wait for no queue, and what is not on its way yet is kept. */
const MAX_INFORMED = 8;
const SWITCHING_PROTOCOLS = 101;
const NOT_MODIFIED = 304;
/** Of HTTP (RFC 9110, section 15); what some servers say beyond it Node does not send over HTTP/2. */
const MAX_STATUS = 599;
/** RFC 9110, section 6.4.1. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, NOT_MODIFIED]);
/** What undici does not send. */
const NOT_SENT: ReadonlySet<unknown> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);
/** A connection that was kept and has ended meanwhile. */
const CONNECTION_LOST: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Requests of one client that the relay makes for it. What a server answers is passed on as it is, what ends early is reset, and what can not be done has a code, by which the helper knows
 * that nothing has reached the server.
 */
export class ClientRequests {
  private readonly agent: ServerAgent;
  private readonly coding: AnswerCoding;
  private readonly maxRequests: number;
  /** URLs that the client has asked for, or was pushed. */
  private readonly given = new LRUCache<string, true>({ max: MAX_GIVEN, maxSize: MAX_GIVEN_CHARS, sizeCalculation: (_, url) => url.length, ttl: GIVEN_MS });
  private readonly room = new Room(MAX_READ_BYTES);
  private count = 0;
  /** The latest. */
  private page: PagePushes | null = null;

  /**
   * @param agent of this client alone; it is ended with this
   * @param coding who changes the coding of answers
   */
  constructor(agent: ServerAgent, coding = new AnswerCoding(null, null), maxRequests = MAX_REQUESTS) {
    [this.agent, this.coding, this.maxRequests] = [agent, coding, maxRequests];
  }

  /**
   * @param raw fields of the stream's request
   * @param bodies of the stream's carrier
   */
  make(stream: ServerHttp2Stream, raw: RawHeaders, bodies: BodySender): void {
    // told by its close
    stream.on('error', () => undefined);
    const head = requestHeadOf(raw);
    if (head === null) refuse(stream, 'E_RELAY_UNSUPPORTED');
    else if (this.count >= this.maxRequests) refuse(stream, 'E_RELAY_LIMIT');
    else {
      this.given.set(urlOf(head), true);
      this.begin({ stream, head, asked: head.fields, body: stream.endAfterHeaders ? null : bodyOf(stream), read: this.readerFor(stream, head, raw, bodies), bodies });
    }
  }

  /** The client's bodies have this name now: it has erased those of another one. */
  keptUnder(name: string): void {
    this.given.clear();
    this.coding.keptUnder(name);
  }

  /** The client is likely to ask this server soon. */
  connect(origin: string): void {
    this.agent.prepare(origin);
  }

  /** What is on the way is cut off. */
  async close(): Promise<void> {
    await this.agent.end();
  }

  private begin(request: Relayed): void {
    this.count += 1;
    const { stream, head, body } = request;
    stream.once('close', () => (this.count -= 1));
    const short = shortBody(body, head.fields);
    if (short === null) {
      this.dispatch(request, body, true);
      return;
    }
    // while the body comes
    this.agent.prepare(head.origin);
    short.then((asked) => {
      // what was cut off is no request
      if (asked === null) cutOff(stream);
      else if (!stream.destroyed) this.dispatch(request, asked, true);
      // a defect ends this request, and not the relay; the carrier has it in its log
    }).catch((error: unknown) => stream.destroy(error as Error));
  }

  /** A page is read for what is pushed with it, where the helper has asked for that, and the sheets that are asked for then, for the servers that they name. */
  private readerFor(stream: ServerHttp2Stream, head: RequestHead, raw: RawHeaders, bodies: BodySender): AnswerReader {
    const kinds = v.safeParse(PushSchema, valuesOf(raw, PUSH_FIELD)[0]);
    if (head.method !== 'GET') return UNREAD;
    const { page, room } = this;
    if (!kinds.success) return page === null ? UNREAD : (status, fields) => readSheetServers(urlOf(head), status, fields, (origin) => page.connectTo(origin), room);
    const servers = v.safeParse(ServersSchema, valuesOf(raw, SERVERS_FIELD)[0]);
    const pushes = new PagePushes(head, { kinds: kinds.output, servers: servers.success ? servers.output : null }, { push: (push) => this.push(stream, push, bodies), connect: (origin) => this.agent.prepare(origin), room, wallNow: Date.now });
    this.page = pushes;
    return (status, fields) => pushes.read(status, fields);
  }

  /** Promises an object of a page, before what names it is on its way, and sends it. @returns whether it is promised */
  private push(page: ServerHttp2Stream, { head, read }: Push, bodies: BodySender): boolean {
    // a stream that has ended promises nothing any more
    if (!page.pushAllowed || page.writableEnded || this.count >= this.maxRequests || this.given.has(urlOf(head))) return false;
    this.given.set(urlOf(head), true);
    const { protocol, host } = new URL(head.origin);
    const { host: _host, ...fields } = groupedFields(carriedFields(head.fields));
    const promise = { ':method': head.method, ':scheme': protocol.slice(0, -1), ':authority': host, ':path': head.path, [LEVEL_FIELD]: String(head.level), ...fields };
    page.pushStream(promise, (error, stream) => {
      if (error !== null) return;
      stream.on('error', () => undefined);
      bodies.opened(stream);
      this.begin({ stream, head, asked: head.fields, body: null, read, bodies });
    });
    return true;
  }

  /**
   * Over HTTP/2 undici makes it again by itself, once, where its server says that it has taken no part of it, and all of its body is there (RFC 9113, section 8.7).
   *
   * @param asked its body, as it passes or whole
   * @param mayRepeat whether it may be made again where it has met the end of a connection that was kept
   */
  private dispatch(request: Relayed, asked: Readable | Buffer | null, mayRepeat: boolean): void {
    const { stream, head, body, bodies } = request;
    const { method, origin, path } = head;
    const fields = this.coding.askedOf(head);
    let controller: Dispatcher.DispatchController | null = null;
    let answer: StreamAnswer | null = null;
    let sink: AnswerSink | null = null;
    let isAnswered = false;
    let peek: DecodedPeek | null = null;
    let isOver = false;
    let informed = 0;
    const level = (): number => bodies.levelOf(stream, head.level);
    const turn = this.agent.turns.of(origin, level);
    /** What comes is passed on when it has been looked into: a promise comes before what names it. */
    const lookInto = (chunk: Buffer, pass: () => void): void => {
      if (peek === null) pass();
      else peek.write(chunk, pass);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: (begun) => {
        controller = begun;
        if (stream.destroyed) begun.abort(new Error('the helper wants it no more'));
      },
      onResponseStart: (begun, status, headers) => {
        if (stream.destroyed || stream.closed || status === SWITCHING_PROTOCOLS) {
          begun.abort(new Error('nobody takes this answer'));
          return;
        }
        if (status > MAX_STATUS) {
          // asked once more by the browser itself where that does no harm
          begun.abort(isSafe(method) ? new FirstscreenError('E_RELAY_UNSUPPORTED', 'The status of an answer is none of HTTP.', 'The browser is asked to try itself.') : new Error('the answer can not be passed on'));
          return;
        }
        const received = carriedFields(rawOf(begun.rawHeaders ?? headers));
        if (status < 200) {
          informed += 1;
          if (informed <= MAX_INFORMED) stream.additionalHeaders({ ':status': status, ...groupedFields(received) });
          return;
        }
        isAnswered = true;
        const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(status);
        answer = new StreamAnswer({ stream, body, status, hasBody, send: (source, bytes) => bodies.send(stream, source, head.level, { urgency: head.urgency, bytes, isScript: JAVASCRIPT.test(mediaTypeOf(received)) }), more: () => {
          sink?.wanted();
          begun.resume();
        } });
        peek = request.read(status, received);
        sink = hasBody ? this.coding.sinkFor({ head, level, isBusy: () => bodies.isBusy(level()), wanted: () => begun.resume(), broken: () => cutOff(stream) }, status, received, answer) : answer;
        sink.start(status === NOT_MODIFIED ? withVariantTag(received, request.asked) : received);
      },
      onResponseData: (begun, chunk) => {
        lookInto(chunk, () => {
          if (sink?.data(chunk) === false) begun.pause();
        });
      },
      onResponseEnd: (begun, received) => {
        isOver = true;
        turn.end();
        if (answer !== null) answer.trailers = rawOf(begun.rawTrailers ?? received);
        if (peek === null) sink?.end();
        else peek.end(() => sink?.end());
      },
      onResponseError: (_, error) => {
        isOver = true;
        turn.end();
        peek?.close();
        // an end of what has begun would say that it is whole
        if (isAnswered || stream.headersSent) cutOff(stream);
        else if (!stream.destroyed) this.failed(request, error, mayRepeat);
      },
    };
    stream.once('close', () => {
      turn.end();
      if (!isOver) controller?.abort(new Error('the helper wants it no more'));
      peek?.close();
      sink?.close();
    });
    turn.begin(() => this.agent.dispatch({ origin, path, method, headers: fields, body: asked, idempotent: isSafe(method), blocking: false }, handler));
  }

  /** A request that has not been answered: what is refused before it has left has a code, and of all else nobody knows whether the server has got it. */
  private failed(request: Relayed, error: Error & { readonly code?: unknown }, mayRepeat: boolean): void {
    const { stream, head, body } = request;
    if (error instanceof FirstscreenError) refuse(stream, error.code);
    else if (NOT_SENT.has(error.code)) refuse(stream, 'E_RELAY_UNSUPPORTED');
    else if (mayRepeat && body === null && isSafe(head.method) && CONNECTION_LOST.has(error.code)) this.dispatch(request, null, false);
    else cutOff(stream);
  }
}

function urlOf({ origin, path }: RequestHead): string {
  return `${origin}${path}`;
}

function refuse(stream: ServerHttp2Stream, code: ErrorCode): void {
  if (stream.destroyed || stream.closed) return;
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
