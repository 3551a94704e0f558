import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Client as UndiciClient, Dispatcher } from 'undici';
// the whole of undici takes 100 ms of processor to load; of its parts it does not tell the types
// @ts-expect-error: no types of this part
import client from 'undici/lib/dispatcher/client.js';
// @ts-expect-error: no types of this part
import symbols from 'undici/lib/core/symbols.js';
import { DEFAULT_LEVEL } from '../../../shared/src/relay/wire.ts';
import { KEEP_ALIVE_MS, NOT_TAKEN, type CreditedStream, type UpstreamConnection } from './connection.ts';
import { CreditTransport } from './creditTransport.ts';
import { MAX_HEADER_BYTES } from '../../../shared/src/node/http/rawHeaders.ts';
import '../../../shared/src/node/upstream/lenientHttp2.ts';
import { ignoreContinue } from '../../../shared/src/node/upstream/ignoreContinue.ts';
import { isLostWithRelay } from '../relay/relayedSocket.ts';
import type { OpenedSocket, RankedWay, Way } from './openSocket.ts';
import { PlainFlow } from './plainFlow.ts';
import { ReceiveWindow } from './receiveWindow.ts';
import { resetAbandoned } from '../../../shared/src/node/upstream/resetAbandoned.ts';
import { trailersBehindData } from '../../../shared/src/node/upstream/trailersBehindData.ts';
import { SilenceWatch } from './silenceWatch.ts';

const Client = client as typeof UndiciClient;
const { kHTTP2Session: HTTP2_SESSION, kRemoteSettings: HAS_SETTINGS, kMaxConcurrentStreams: MAX_STREAMS, kQueue: QUEUE, kPendingIdx: FIRST_PENDING } = symbols as Readonly<
  Record<'kHTTP2Session' | 'kRemoteSettings' | 'kMaxConcurrentStreams' | 'kQueue' | 'kPendingIdx', symbol>
>;

const KEEP_ALIVE_LIMIT_MS = 600_000;
/** Streams at once where nothing else is said; more would only stand in the server's queue. */
const H2_STREAMS = 100;
/**
 * What the session takes for a stream's window: never the limit, as servers are told less (creditTransport.ts). undici takes
 * it here, and leaves that of `settings` unused; its types do not know it.
 */
const H2_STREAM_WINDOW = { initialWindowSize: 16 * 1024 * 1024 };

/** Of undici, which keeps them to itself. */
interface Queued {
  onResponseError(error: Error): void;
}

/**
 * One connection to a server: an undici `Client` over a socket that is open already, so that an object's place is exact. It never opens another one: a Client
 * whose socket is gone fails what it is given, and the scheduler opens the next.
 */
export class DirectConnection implements UpstreamConnection {
  readonly id: number;
  readonly origin: string;
  readonly slots: number;
  readonly isH2: boolean;
  readonly keepsOrder = false;
  readonly flow: PlainFlow | null;
  isReused = false;
  private readonly client: UndiciClient;
  /** Beneath TLS, where the relay is on it; else what is spoken on. */
  private readonly way: Way;
  private readonly socket: Way;
  private readonly relayed: RankedWay | null;
  private level = DEFAULT_LEVEL;
  private readonly transport: CreditTransport | null;
  /** Requests that undici has taken, whose streams have not left. */
  private readonly leaving = new Map<ClientHttp2Stream, (stream: CreditedStream) => void>();
  /** Of the request that undici begins now. */
  private starting: ((stream: CreditedStream) => void) | null = null;
  private readonly silence = new SilenceWatch();
  private sending = 0;
  /** Settles when the server has said what it takes at once, or the connection has ended. */
  private readonly settings: PromiseWithResolvers<void> = Promise.withResolvers();
  private hasSettings = false;
  private readonly window: ReceiveWindow;
  private readonly onClosed: () => void;
  private readonly openedMs = performance.now();
  /** undici has it, and ends it when it rests. */
  private isTaken = false;

  /** @param firstWindowBytes how much the server may have on the way over HTTP/2 to begin with; left out for what suits any link */
  constructor(id: number, origin: string, opened: OpenedSocket, onClosed: () => void, firstWindowBytes?: number) {
    const { socket, rttMs, relayed } = opened;
    this.id = id;
    this.origin = origin;
    this.onClosed = onClosed;
    this.flow = PlainFlow.of(opened);
    this.way = relayed ?? socket;
    this.socket = socket;
    this.relayed = relayed ?? null;
    this.window = new ReceiveWindow(rttMs, firstWindowBytes);
    this.isH2 = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2';
    this.slots = this.isH2 ? H2_STREAMS : 1;
    if (!this.isH2) ignoreContinue(socket);
    this.transport = this.isH2 ? new CreditTransport(socket, (stream) => this.left(stream)) : null;
    const transport = this.transport ?? socket;
    this.client = new Client(origin, {
      pipelining: this.slots,
      allowH2: this.isH2,
      h2Options: { maxConcurrentStreams: H2_STREAMS, ...H2_STREAM_WINDOW, connectionWindowSize: this.window.bytes },
      // how long it waits for an answer is the browser's to say: Chromium for as long as the connection lasts
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_LIMIT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      strictContentLength: false,
      connect: (_, callback) => {
        const isGone = this.isTaken;
        this.isTaken = true;
        // not before it has returned: a Client that is called back at once does not go on
        queueMicrotask(() => {
          const isSpoken = !isGone && this.hasUnasked;
          if (isSpoken) this.way.destroy();
          if (!isGone && !isSpoken && !transport.destroyed) {
            // undici asks no more of it than that it is one
            callback(null, transport as Socket);
            return;
          }
          // first, so that what fails comes back on another connection
          onClosed();
          this.failPending();
          callback(NOT_TAKEN, null);
        });
      },
    });
    this.client.once('connect', () => {
      if (this.session === null) return;
      resetAbandoned(this.session);
      trailersBehindData(this.session);
      this.noteStreams(this.session);
      this.sendBeforeSettings(this.session);
    });
    transport.once('close', () => {
      this.settled();
      onClosed();
      // when undici has heard of it, too: on a Client that is destroyed first it fails over requests that are under way
      setImmediate(() => void this.client.destroy());
    });
    // told by `close`, and to each request by undici
    transport.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return !this.way.destroyed;
  }

  get isBusy(): boolean {
    return this.sending > 0;
  }

  get localAddress(): string {
    return this.way.localAddress ?? '';
  }

  get isLostWithRelay(): boolean {
    return isLostWithRelay(this.way.errored);
  }

  get isRanked(): boolean {
    return this.relayed !== null;
  }

  get isSilent(): boolean {
    return this.isOpen && this.relayed?.isSilent === true;
  }

  onLate(late: () => boolean): void {
    if (this.relayed !== null) this.relayed.late = late;
  }

  overtaken(): void {
    this.relayed?.overtaken();
  }

  rank(level: number): void {
    if (level === this.level) return;
    this.level = level;
    this.relayed?.rank(level);
  }

  get receivedBytes(): number {
    return this.way.bytesRead;
  }

  send(options: Dispatcher.DispatchOptions, answer: Dispatcher.DispatchHandler, left: (stream: CreditedStream) => void): void {
    const handler: Dispatcher.DispatchHandler = {
      ...answer,
      onRequestStart: (controller, context) => {
        if (this.isH2) this.starting = left;
        answer.onRequestStart?.(controller, context);
      },
    };
    // what has waited until the connection takes no more was never sent
    const notTaken: Dispatcher.DispatchHandler = { ...answer, onResponseError: (controller) => answer.onResponseError?.(controller, NOT_TAKEN) };
    const isAlone = this.sending === 0;
    this.sending += 1;
    // a body that passes can not be sent again where the server turns out to take fewer requests at once
    if (!this.isH2 || this.hasSettings || isAlone || !(options.body instanceof Readable)) this.client.dispatch(options, handler);
    else void this.settings.promise.then(() => this.client.dispatch(options, this.client.closed || this.client.destroyed ? notTaken : handler));
  }

  received(bytes: number): void {
    if (this.isH2 && this.window.received(bytes, performance.now())) this.session?.setLocalWindowSize(this.window.bytes);
  }

  /**
   * Over HTTP/1.1 the server has said something that nobody has read, before it was asked anything: that it has waited for
   * too long (408, as HAProxy), and mostly its end behind that. It is no answer to what is asked next.
   */
  private get hasUnasked(): boolean {
    return !this.isH2 && this.socket.readableLength > 0;
  }

  /** Of HTTP/2, which undici keeps to itself; null where there is none. */
  private get session(): ClientHttp2Session | null {
    return (this.client as unknown as Record<symbol, ClientHttp2Session | null | undefined>)[HTTP2_SESSION] ?? null;
  }

  /** What has come, and while something waits to leave, what has left: behind a long body a server can not be asked, nor need it say anything. */
  private get movedBytes(): number {
    const { bytesRead, bytesWritten, writableLength } = this.way;
    return bytesRead + (writableLength > 0 ? bytesWritten - writableLength : 0);
  }

  /** undici makes a stream for a request in the turn that it says that it begins, and keeps it to itself. */
  private noteStreams(session: ClientHttp2Session): void {
    const request = session.request.bind(session);
    session.request = (...options) => {
      const stream = request(...options);
      if (this.starting !== null) {
        this.leaving.set(stream, this.starting);
        stream.once('close', () => this.leaving.delete(stream));
      }
      this.starting = null;
      return stream;
    };
  }

  private left(id: number): void {
    for (const [stream, left] of this.leaving) {
      if (stream.id !== id) continue;
      this.leaving.delete(stream);
      const isOver = (): boolean => stream.closed || stream.destroyed;
      left({
        unreadBytes: 0,
        give: (bytes) => isOver() || this.transport?.give(id, bytes),
        prioritize: (value) => isOver() || this.transport?.prioritize(id, value),
      });
      return;
    }
    // one that nobody has announced gets a whole window, as without credit it would never come
    this.transport?.give(id, H2_STREAM_WINDOW.initialWindowSize);
  }

  private settled(): void {
    this.hasSettings = true;
    this.settings.resolve();
  }

  /**
   * undici sends one request, and waits a round trip for the server's settings before it sends the others. Browsers do not
   * wait, and need not (RFC 9113, section 3.4). What is more than the server takes at once it refuses as not processed,
   * and undici sends that again.
   */
  private sendBeforeSettings(session: ClientHttp2Session): void {
    session.once('remoteSettings', () => this.settled());
    (session as unknown as Record<symbol, boolean>)[HAS_SETTINGS] = true;
    (this.client as unknown as Record<symbol, number>)[MAX_STREAMS] = H2_STREAMS;
  }

  /**
   * A server that goes away ends what it has taken, and a Client asks for another connection for the rest, again and
   * again for as long as something of the first is under way.
   */
  private failPending(): void {
    const { [QUEUE]: queue, [FIRST_PENDING]: first } = this.client as unknown as Record<symbol, unknown>;
    for (const request of (queue as (Queued | null)[]).splice(first as number)) request?.onResponseError(NOT_TAKEN);
  }

  ended(): void {
    this.sending -= 1;
  }

  /**
   * What nothing was sent on rests no longer than what was: undici has no hold of it yet, and ends it not.
   * Over HTTP/2 a server that says nothing, although requests wait, is asked whether it is there (RFC 9113, section 6.7);
   * one that goes away can not be asked any more (Node 24), and ends what it has taken.
   */
  check(nowMs: number): boolean {
    if (!this.isTaken && (this.hasUnasked || nowMs >= this.openedMs + KEEP_ALIVE_MS)) {
      this.onClosed();
      this.close();
    }
    if (!this.isH2) return false;
    const verdict = this.silence.observe(this.movedBytes, this.isBusy && this.session !== null, nowMs);
    // undici has no way of its own to ask; the answer is seen as bytes
    if (verdict === 'ask') this.session?.ping(() => undefined);
    return verdict === 'dead';
  }

  close(): void {
    this.endWith(this.client.close());
  }

  destroy(): void {
    // its session ends later than its way, where a Client takes its requests for such that are still to be sent
    if (this.session !== null) this.session.destroy(new Error('the connection was given up'));
    else this.endWith(this.client.destroy());
  }

  /** A Client has no hold of a socket that nothing was sent on. It refuses where that has ended already, and nobody asks. */
  private endWith(client: Promise<void>): void {
    client.then(() => this.way.destroy(), () => undefined);
  }
}
