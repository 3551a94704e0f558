import { constants, type ClientHttp2Stream } from 'node:http2';
import { Readable, type Transform } from 'node:stream';
import { constants as zlib, createBrotliDecompress, createZstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { FirstscreenError, isErrorCode, type ErrorCode } from '../../../shared/src/errors.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { isBomb, type DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import { bodyReader } from '../../../shared/src/node/relay/bodyReader.ts';
import { codingOf, isKept, isWholeBody } from '../../../shared/src/node/relay/keptBodies.ts';
import { ERROR_FIELD, type BodyCoding, type Servers } from '../../../shared/src/relay/wire.ts';
import { NOT_TAKEN, NotSent, type CountedOnLink, type SentStream, type Told } from '../upstream/connection.ts';
import type { PushedAnswer } from './pushedAnswers.ts';
import type { FormerBodies, OwnBody } from './bodyStore.ts';
import { UNCODED, type CodingTerms } from './codingTerms.ts';
import type { RequestCarrier } from './requestCarrier.ts';
import { answerFields, carrierCoding, requestFields, type CarrierCoding, type PageTerms } from './relayedFields.ts';

/** What the browser has to see to with the server itself, on a connection of its own. */
const FOR_THE_BROWSER: ReadonlySet<ErrorCode> = new Set(['E_UPSTREAM_TLS', 'E_CLIENT_CERTIFICATE']);
/** What a relay says that we do not understand. */
const UNKNOWN_CODE: ErrorCode = 'E_RELAY_UNSUPPORTED';

/** What the relay's encoder may ask for: 8 MiB. */
const WINDOW = { [zlib.ZSTD_d_windowLogMax]: 23 };

/** Who has requests to a server relayed, and wants to know how it is doing. */
export interface RelayedHost {
  /** Whether the relay may still be asked for it, and is there. */
  isUsable(): boolean;
  /** The relay does not do this for it. */
  refused(code: ErrorCode): void;
  /** It has answered. */
  answered(request: RawHeaders, status: number, response: RawHeaders): void;
  /** What the relay may do now to the coding of answers. */
  coding(): CodingTerms;
  /** Former bodies of this end; null where none are kept. */
  readonly bodies: FormerBodies | null;
  /** Of which others, that a page of this one names, the relay makes the requests. */
  readonly servers: Servers | null;
}

/** One request as a stream of the carrier, told to who has made it as undici tells it. */
export class RelayedRequest implements Dispatcher.DispatchController, CountedOnLink {
  rawHeaders: string[] = [];
  rawTrailers: string[] = [];
  reason: Error | null = null;
  linkBytes: number | null = 0;
  private readonly origin: string;
  private readonly options: Dispatcher.DispatchOptions;
  private readonly answer: Dispatcher.DispatchHandler;
  private readonly host: RelayedHost;
  private stream: ClientHttp2Stream | null = null;
  /** What the body is read from. */
  private source: Readable | null = null;
  private coding: CodingTerms = UNCODED;
  private offered: readonly OwnBody[] = [];
  private reader: DecodedPeek | null = null;
  /** Of what is decoded, as the relay has said it; null for nothing. */
  private lengthBytes: number | null = null;
  private codedBytes = 0;
  private takenBytes = 0;
  /** All of it has come, whether or not it is decoded. */
  private hasAll = false;
  private over: () => void = () => undefined;
  private isOver = false;
  /** Whether some of its body may be gone. */
  private isBodyRead = false;

  constructor(origin: string, options: Dispatcher.DispatchOptions, answer: Dispatcher.DispatchHandler, host: RelayedHost) {
    this.origin = origin;
    this.options = options;
    this.answer = answer;
    this.host = host;
  }

  get aborted(): boolean {
    return this.reason !== null;
  }

  get paused(): boolean {
    return this.source?.isPaused() ?? false;
  }

  /** @param over called when it has ended, whatever way */
  start(carrier: RequestCarrier, told: Told, left: (stream: SentStream) => void, over: () => void): void {
    this.over = over;
    this.answer.onRequestStart?.(this, {});
    if (this.isOver) return;
    if (!this.host.isUsable()) {
      this.fail(NOT_TAKEN);
      return;
    }
    const { method, path, headers } = this.options;
    const body = this.options.body instanceof Readable || Buffer.isBuffer(this.options.body) ? this.options.body : null;
    const request = headers as readonly string[];
    if (method === 'GET') this.coding = this.host.coding();
    // by the time that something comes that was pushed the link may look faster
    if (method === 'GET') this.offered = this.host.bodies?.find(`${this.origin}${path}`, request) ?? [];
    const isSlow = this.coding.encodings.includes('zstd');
    const page: PageTerms | undefined = told.pushes === null ? undefined : { have: isSlow ? (this.host.bodies?.have(`${this.origin}${path}`) ?? []) : [], servers: this.host.servers };
    const fields = requestFields(method, this.origin, path, request, told, this.coding, isSlow ? this.offered.map(({ hash }) => hash) : [], page);
    const pushed = body === null ? carrier.takePushed(fields) : null;
    let stream: ClientHttp2Stream;
    try {
      stream = pushed?.stream ?? carrier.request(fields, body === null);
    } catch {
      // either it is gone, or can not carry these fields
      if (carrier.isOpen) this.host.refused(UNKNOWN_CODE);
      this.fail(NOT_TAKEN);
      return;
    }
    this.stream = stream;
    const rank = (level: number): void => {
      if (stream.id !== undefined && !stream.closed) carrier.rank(stream.id, level);
    };
    left({ rank });
    if (pushed !== null && pushed.level !== told.level) rank(told.level);
    this.listen(stream, pushed);
    if (body instanceof Readable) this.upload(body, stream);
    else if (body !== null) stream.end(body);
  }

  abort(reason: Error): void {
    if (this.isOver) return;
    this.reason = reason;
    this.fail(reason);
  }

  pause(): void {
    this.source?.pause();
  }

  resume(): void {
    this.source?.resume();
  }

  private listen(stream: ClientHttp2Stream, pushed: PushedAnswer | null): void {
    const begin = (raw: readonly string[], coding: CarrierCoding | null): void => {
      if (this.isOver) return;
      const { status, fields } = answerFields(raw, coding);
      this.rawHeaders = fields;
      if (status >= 200) {
        this.host.answered(this.options.headers as readonly string[], status, fields);
        this.reader = this.readerOf(status, fields);
      }
      this.answer.onResponseStart?.(this, status, {}, '');
    };
    // a stream that was reset ends, too, and so does one whose carrier is gone
    const isWhole = pushed !== null && stream.closed && stream.rstCode === constants.NGHTTP2_NO_ERROR;
    stream.on('end', () => {
      this.hasAll = stream.rstCode === constants.NGHTTP2_NO_ERROR && (isWhole || !stream.destroyed);
      if (this.hasAll && this.source === stream) this.succeed();
    });
    const respond = (raw: readonly string[]): void => {
      const [code] = valuesOf(raw, ERROR_FIELD);
      const coding = carrierCoding(raw);
      const dictionary = coding?.dictionary ?? null;
      const own = this.offered.find(({ hash }) => hash === dictionary) ?? null;
      if (code !== undefined) this.refuse(code);
      else if (coding === undefined || (coding !== null && pushed === null && !this.coding.encodings.includes(coding.name)) || (dictionary !== null && own === null)) this.unreadable(pushed !== null);
      else {
        this.source = coding === null ? stream : this.decoded(stream, coding, own);
        if (this.source === null) return this.unreadable(pushed !== null);
        begin(raw, coding);
        // of what is pushed some may have come before
        if (pushed !== null) this.linkBytes = null;
        else stream.on('data', (chunk: Buffer) => (this.linkBytes = (this.linkBytes ?? 0) + chunk.length));
        this.source.on('data', (chunk: Buffer) => this.take(chunk));
      }
    };
    stream.on('headers', (_headers, _flags, raw) => begin(raw, null));
    stream.on('response', (_headers, _flags, raw) => respond(raw));
    stream.on('push', (_headers, _flags, raw) => respond(raw));
    stream.on('trailers', (_trailers, _flags, raw: string[]) => (this.rawTrailers = raw));
    // who asks has to have made his request before it is answered
    if (pushed !== null) queueMicrotask(() => {
      this.rawTrailers = [...pushed.trailers];
      // an empty one has ended before: its end is not told again
      this.hasAll = isWhole && stream.readableEnded;
      if (pushed.head !== null) respond(pushed.head);
      if (this.hasAll && this.source === stream) this.succeed();
    });
    stream.on('error', (error: Error) => this.fail(this.errorOf(stream, error)));
    stream.on('close', () => {
      if (!this.hasAll) this.fail(this.errorOf(stream, new Error('the relay gave the request up')));
    });
  }

  /** @returns null where that body can be no dictionary */
  private decoded(stream: ClientHttp2Stream, { name, length }: CarrierCoding, own: OwnBody | null): Readable | null {
    const decoder = decoderOf(name, own);
    if (decoder === null) return null;
    this.lengthBytes = length;
    stream.on('data', (chunk: Buffer) => (this.codedBytes += chunk.length));
    decoder.once('error', (error: Error) => this.fail(error));
    // the end of a frame may be seen before that of its stream
    const over = (): void => {
      if (!this.hasAll || !decoder.readableEnded) return;
      if (length === null || length === this.takenBytes) this.succeed();
      else this.fail(new Error('the body is shorter than was said'));
    };
    decoder.once('end', over);
    stream.once('end', over);
    return stream.pipe(decoder);
  }

  /** Gathers what is to be kept. */
  private readerOf(status: number, fields: RawHeaders): DecodedPeek | null {
    const { bodies } = this.host;
    const { method, path, headers } = this.options;
    const request = headers as readonly string[];
    if (bodies === null || !this.coding.encodings.includes('keep') || !isWholeBody(method, request, status, fields) || !isKept(fields)) return null;
    return bodyReader(codingOf(fields), (body) => bodies.received(`${this.origin}${path}`, request, body));
  }

  private take(chunk: Buffer): void {
    if (this.isOver) return;
    this.takenBytes += chunk.length;
    if (this.isTooLong) {
      this.fail(new Error('the body is longer than was said, or a bomb'));
      return;
    }
    this.reader?.write(chunk);
    this.answer.onResponseData?.(this, chunk);
  }

  /** Over HTTP/1.1 the browser would take what is more than was said for its next answer. */
  private get isTooLong(): boolean {
    if (this.source === this.stream) return false;
    return this.lengthBytes === null ? isBomb(this.codedBytes, this.takenBytes) : this.takenBytes > this.lengthBytes;
  }

  /** The relay has coded it in a way that was not asked for. What it has pushed is asked for then; of a relay that answers so nothing more is asked. */
  private unreadable(isPushed: boolean): void {
    if (!isPushed) this.host.refused(UNKNOWN_CODE);
    this.fail(this.notTaken(UNKNOWN_CODE));
  }

  /** What was not begun when the relay went away, or had too many streams already, is no server's (RFC 9113, section 8.7). */
  private errorOf(stream: ClientHttp2Stream, error: Error): Error {
    if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) return this.notTaken('E_RELAY_LIMIT');
    // first, so that it is made again directly
    if (this.isShunned(stream)) this.host.refused('E_CONNECT');
    return error;
  }

  /**
   * The relay has given a safe request up, that it makes anew by itself where a kept connection was closed: the server, or what stands before it, may answer nobody from the relay's address, or answers what can not
   * be passed on.
   */
  private isShunned(stream: ClientHttp2Stream): boolean {
    const isUnanswered = !this.isOver && this.source === null;
    return isUnanswered && stream.rstCode === constants.NGHTTP2_INTERNAL_ERROR && !this.isBodyRead && isSafe(this.options.method) && this.host.isUsable();
  }

  private refuse(text: string): void {
    const code = isErrorCode(text) ? text : UNKNOWN_CODE;
    this.host.refused(code);
    this.fail(FOR_THE_BROWSER.has(code) ? new NotSent(refusal(code)) : this.notTaken(code));
  }

  /** It can be made again here, unless some of its body is gone; then the browser can. */
  private notTaken(code: ErrorCode): Error {
    return this.isBodyRead ? new NotSent(refusal(code)) : NOT_TAKEN;
  }

  private upload(body: Readable, stream: ClientHttp2Stream): void {
    this.isBodyRead = true;
    let hasEnded = false;
    body.once('end', () => (hasEnded = true));
    // one that is cut off does not end as if it were whole
    const cut = (): void => {
      if (!hasEnded) this.abort(new Error('the body of the request was cut off'));
    };
    body.once('error', cut).once('close', cut);
    body.pipe(stream);
    // what nobody takes any more is no reason to end who sends it: he has his answer
    stream.once('close', () => {
      body.unpipe(stream);
      body.resume();
    });
  }

  /** Node's `close` ends a stream before it resets it, so that a body that is cut off would look whole. */
  private reset(error: Error): void {
    if (this.isBodyRead && this.stream?.writableEnded === false) this.stream.destroy(error);
    else this.stream?.close(constants.NGHTTP2_CANCEL);
  }

  private succeed(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.reader?.end();
    this.over();
    this.answer.onResponseEnd?.(this, {});
  }

  private fail(error: Error): void {
    if (this.isOver) return;
    this.isOver = true;
    this.reader?.close();
    if (this.source !== this.stream) this.source?.destroy();
    this.reset(error);
    this.over();
    this.answer.onResponseError?.(this, error);
  }
}

function decoderOf(name: BodyCoding, own: OwnBody | null): Transform | null {
  try {
    return name === 'br' ? createBrotliDecompress() : createZstdDecompress({ params: WINDOW, ...(own !== null && { dictionary: own.body }) });
  } catch {
    // one that an earlier release has kept
    return null;
  }
}

function refusal(code: ErrorCode): FirstscreenError {
  return new FirstscreenError(code, 'The relay can not make a request to this server.', 'The browser is asked to try itself.');
}
