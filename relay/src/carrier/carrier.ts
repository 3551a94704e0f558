import { constants, performServerHandshake, type IncomingHttpHeaders, type OutgoingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { codeOf, type ErrorCode } from '../../../shared/src/errors.ts';
import type { LogFields, LogSink } from '../../../shared/src/log.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { CONTROL_AUTHORITY, CONTROL_PATH, ERROR_FIELD, FAR_FIELD, LEVEL_FIELD } from '../../../shared/src/relay/wire.ts';
import { MAX_MARKS, OnTheWay } from '../queue/onTheWay.ts';
import { Sender } from '../queue/sender.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import type { BodySender, ClientRequests } from '../requests/clientRequests.ts';
import { levelIn } from '../requests/requestHead.ts';
import { STATUS_OF } from '../statuses.ts';
import type { ServerOpener } from '../tunnels/openServer.ts';
import { join } from '../tunnels/tunnel.ts';
import { destroySoon } from '../tunnels/resetStream.ts';
import { CarrierTransport } from './carrierTransport.ts';
import { takeControl } from './controlStream.ts';
import type { CarrierLimits } from './limits.ts';
import type { OpeningRate } from './openingRate.ts';
import { LEAST_WINDOW_BYTES, ReceiveWindow } from './receiveWindow.ts';
import { SendWindows } from './sendWindows.ts';

/** Of all streams of a carrier: Node's session takes all that comes at once, so it holds nothing up, nor keeps anything small. */
const CARRIER_WINDOW_BYTES = 4_194_304;
/** What is kept of uploads is looked at each time that so much has come. */
const LOOK_BYTES = 1_048_576;
/** Of what Node keeps for a session, in megabytes: a carrier of `streams` streams that all wait has this. */
const SESSION_MEGABYTES = 64;

/** Of uploads; windows let come half of it. */
const MOST_KEPT_BYTES = 2 * SESSION_MEGABYTES * 1024 * 1024;

const LOOK_MS = 10;

const STATUS_DEFECT = 500;

/** What the carriers of one client have in common. */
export interface ClientUse {
  readonly name: string;
  tunnels: number;
  /** Which it has the relay make; null where there are tunnels alone. */
  readonly requests: Pick<ClientRequests, 'make' | 'keptUnder' | 'connect'> | null;
  readonly rate: OpeningRate;
  /** Of each tunnel that is connected, the bytes that are kept of it now. */
  readonly kept: Set<() => number>;
}

/** Whose tunnel a request is for; the answer to one that is for none; or that nothing is answered any more. */
export type Guarded = { readonly client: ClientUse } | { readonly answer: OutgoingHttpHeaders } | 'end';

export interface CarrierHost {
  readonly opener: Pick<ServerOpener, 'open'>;
  readonly limits: CarrierLimits;
  readonly log: LogSink;
  /** Judges each request by what it says itself; absent where the connection has shown whose it is. A browser tells no levels and has no control stream. */
  readonly guard?: (headers: IncomingHttpHeaders) => Guarded;
}

/** One connection of a client that is known, and its streams. Tells nobody what they are about. */
export class Carrier {
  private readonly host: CarrierHost;
  private readonly client: ClientUse;
  private readonly session: ServerHttp2Session;
  private readonly sender: Sender;
  private readonly windows = new SendWindows((stream) => this.streams.get(stream)?.broken.abort());
  /** Streams that are open, with what tells that the client has broken one off. */
  private readonly streams = new Map<number, { readonly stream: ServerHttp2Stream; readonly broken: AbortController }>();
  private readonly receiveWindow = new ReceiveWindow();
  private lookedBytes = 0;
  /** Of streams that have been ranked since they were opened, whether or not they send anything yet. */
  private readonly levels = new Map<number, number>();
  private readonly onTheWay = new OnTheWay();
  private readonly beganMs = performance.now();
  private again: NodeJS.Timeout | undefined;
  private tunnels = 0;
  private refused = 0;
  private hasControl = false;

  constructor(socket: TLSSocket, client: ClientUse, host: CarrierHost) {
    this.host = host;
    this.client = client;
    const { windows, onTheWay } = this;
    const heard = (chunk: Buffer): void => {
      if (windows.read(chunk)) this.sender.goOn();
      if (this.receiveWindow.received(chunk.length, onTheWay.rttMs, performance.now())) this.tellWindow();
      if (transport.receivedBytes - this.lookedBytes < LOOK_BYTES) return;
      this.lookedBytes = transport.receivedBytes;
      this.limitKept();
    };
    const transport = new CarrierTransport(socket, heard, () => this.sender.goOn());
    this.sender = new Sender({
      roomOf: (stream) => windows.roomOf(stream),
      sent: (stream, bytes) => {
        windows.sent(stream, bytes);
        this.onTheWay.sent(bytes, performance.now());
      },
      left: () => this.mark(),
      hasRoom: (canWait) => {
        const hasRoom = onTheWay.hasRoom(canWait, performance.now());
        if (!hasRoom && !canWait) this.lookAgain();
        return hasRoom;
      },
      get isDrained() {
        return transport.isDrained;
      },
    });
    const { limits } = host;
    this.session = performServerHandshake(transport, {
      settings: { maxConcurrentStreams: limits.streams, initialWindowSize: LEAST_WINDOW_BYTES, maxHeaderListSize: limits.headerBytes },
      maxHeaderListPairs: limits.headerFields,
      maxOutstandingPings: MAX_MARKS,
      maxSessionMemory: SESSION_MEGABYTES,
      // what a browser says twice is for the server to judge
      strictSingleValueFields: false,
    });
    // of Node's own as well, after an error: its last word, sent while a write is under way, fails an assertion where the socket is a stream of JavaScript
    // (internal/js_stream_socket, doWrite), which would end the process. The session ends with its transport, which needs no word
    this.session.destroy = () => void transport.destroy();
    this.mark();
    this.session.setLocalWindowSize(CARRIER_WINDOW_BYTES);
    this.session.on('stream', (stream, headers, _flags, raw) => this.opened(stream, headers, raw));
    this.session.on('error', (error: Error) => this.tell('debug', 'carrier broken', { reason: reasonOf(error) }));
    this.session.once('close', () => {
      clearTimeout(this.again);
      const { receivedBytes, sentBytes } = transport;
      const seconds = Math.round((performance.now() - this.beganMs) / 1000);
      this.tell('info', 'carrier ended', { seconds, tunnels: this.tunnels, refused: this.refused, receivedBytes, sentBytes });
    });
    socket.setTimeout(limits.silenceMs, () => this.end());
    this.tell('info', 'carrier begun');
  }

  /** Is told when it has ended. */
  onceClosed(callback: () => void): void {
    this.session.once('close', callback);
  }

  /** At once, with everything on it. */
  end(): void {
    this.session.destroy();
  }

  private opened(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: readonly string[]): void {
    const { id } = stream;
    // one that was broken off with its request is over before it is told of; that it was an error is told next
    this.listen(stream);
    if (id === undefined || stream.closed) return destroySoon(stream);
    this.windows.opened(id, (each) => this.streams.has(each));
    const broken = this.keep(stream, id);
    const { ':method': method, ':path': path, ':authority': authority = '' } = headers;
    const guarded = this.host.guard?.(headers) ?? { client: this.client };
    if (guarded === 'end') return this.end();
    if ('answer' in guarded) {
      stream.respond(guarded.answer, { endStream: true });
      return;
    }
    const { client } = guarded;
    const level = levelIn(headers[LEVEL_FIELD]);
    if (!client.rate.take(performance.now())) this.refuse(stream, 'E_RELAY_LIMIT');
    else if (level === null) this.refuse(stream, 'E_MESSAGE_SCHEMA');
    else if (method === 'CONNECT') void this.connect(stream, authority, level, broken, client);
    else if (client.requests === null) this.refuse(stream, 'E_RELAY_UNSUPPORTED');
    else if (method === 'POST' && authority === CONTROL_AUTHORITY && path === CONTROL_PATH) this.control(stream);
    else client.requests.make(stream, raw, this.bodies);
  }

  /** Marks in what is sent how far it has come, by the session's PING, which goes before all that the session still has: that is why it is said when that is the kernel's. */
  private mark(): void {
    if (this.session.destroyed || !this.onTheWay.mark(performance.now())) return;
    this.session.ping((error) => {
      if (error !== null) return;
      this.onTheWay.answered(performance.now());
      this.sender.goOn();
    });
  }

  private tellWindow(): void {
    if (!this.session.destroyed) this.session.settings({ initialWindowSize: this.receiveWindow.bytes });
  }

  /** Of uploads that servers do not take no more is kept: streams that have less than the least window may have that. Whoever sends more all the same does not go by what he was told. */
  private limitKept(): void {
    const { keptBytesOfClient } = this.host.limits;
    let bytes = 0;
    for (const { stream } of this.streams.values()) bytes += stream.readableLength;
    if (bytes > MOST_KEPT_BYTES) this.end();
    else if (bytes > keptBytesOfClient && this.receiveWindow.shrink()) this.tellWindow();
  }

  /** Whether there is room may change with time alone. */
  private lookAgain(): void {
    this.again ??= setTimeout(() => {
      this.again = undefined;
      this.sender.goOn();
    }, LOOK_MS);
  }

  private listen(stream: ServerHttp2Stream): void {
    stream.on('error', (error) => this.tell('debug', 'stream broken', { stream: stream.id ?? 0, reason: reasonOf(error) }));
  }

  /** @returns what tells that the client has broken it off */
  private keep(stream: ServerHttp2Stream, id: number): AbortSignal {
    const broken = new AbortController();
    this.streams.set(id, { stream, broken });
    broken.signal.addEventListener('abort', () => destroySoon(stream), { once: true });
    stream.once('close', () => {
      this.streams.delete(id);
      this.levels.delete(id);
      broken.abort();
      this.windows.closed(id);
    });
    return broken.signal;
  }

  /** What answers to requests go by. */
  private get bodies(): BodySender {
    const levelOf = ({ id = 0 }: ServerHttp2Stream, level: number): number => this.levels.get(id) ?? level;
    return {
      levelOf,
      opened: (stream) => {
        if (stream.id === undefined) return;
        this.windows.pushed(stream.id);
        this.listen(stream);
        this.keep(stream, stream.id);
      },
      isBusy: (level) => this.sender.isBusy(level),
      send: (stream, source, level, order) => this.sender.send(stream, source, levelOf(stream, level), order),
    };
  }

  private async connect(stream: ServerHttp2Stream, authority: string, level: number, broken: AbortSignal, client: ClientUse): Promise<void> {
    const destination = parseAuthority(authority);
    if (destination === null || this.isFull(client)) {
      this.refuse(stream, destination === null ? 'E_PROXY_TARGET' : 'E_RELAY_LIMIT');
      return;
    }
    client.tunnels += 1;
    stream.once('close', () => (client.tunnels -= 1));
    try {
      const { socket: server, rttMs } = await this.host.opener.open(destination, broken);
      if (broken.aborted) return void server.on('error', () => undefined).destroy();
      this.tunnels += 1;
      const kept = (): number => stream.readableLength + server.writableLength + server.readableLength + stream.writableLength;
      client.kept.add(kept);
      stream.once('close', () => client.kept.delete(kept));
      stream.respond({ ':status': 200, [FAR_FIELD]: Math.ceil(rttMs) });
      join({ stream, broken }, server, level, this.sender);
    } catch (error) {
      this.refuse(stream, codeOf(error));
    }
  }

  /** Whether a client has as much of the relay as it may have. */
  private isFull(client: ClientUse): boolean {
    const { limits } = this.host;
    if (client.tunnels >= limits.tunnelsOfClient) return true;
    let bytes = 0;
    for (const kept of client.kept) bytes += kept();
    return bytes >= limits.keptBytesOfClient;
  }

  private control(stream: ServerHttp2Stream): void {
    if (this.hasControl) return this.refuse(stream, 'E_RELAY_LIMIT');
    this.hasControl = true;
    stream.once('close', () => (this.hasControl = false));
    takeControl(stream, {
      rank: (id, level) => {
        if (this.streams.has(id)) this.levels.set(id, level);
        this.sender.rank(id, level);
      },
      kept: (name) => this.client.requests?.keptUnder(name),
      connect: (origin) => {
        if (this.client.rate.take(performance.now())) this.client.requests?.connect(origin);
      },
      refused: (error) => {
        this.tell('warn', 'control refused', { code: codeOf(error) });
        stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
        destroySoon(stream);
      },
    });
  }

  private refuse(stream: ServerHttp2Stream, code: ErrorCode): void {
    if (stream.closed || stream.destroyed) return;
    this.refused += 1;
    this.tell(code === 'E_INTERNAL' ? 'error' : 'debug', 'stream refused', { stream: stream.id ?? 0, code });
    stream.respond({ ':status': STATUS_OF[code] ?? STATUS_DEFECT, [ERROR_FIELD]: code }, { endStream: true });
  }

  private tell(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: LogFields = {}): void {
    this.host.log({ level, scope: 'carrier', message, fields: { client: this.client.name, ...fields } });
  }
}
