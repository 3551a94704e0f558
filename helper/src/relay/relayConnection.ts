import http2, { constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import * as v from 'valibot';
import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { authorityOf } from '../../../shared/src/names/authority.ts';
import { ControlLines, parseControlLine } from '../../../shared/src/relay/controlLines.ts';
import { CONTROL_AUTHORITY, CONTROL_PATH, LEVEL_FIELD, RELAY_VERSION, RelayControlMessage, type HelperControlMessage } from '../../../shared/src/relay/wire.ts';
import { fingerprintOf } from '../../../shared/src/node/relay/fingerprint.ts';
import { unlessAborted } from '../../../shared/src/node/unlessAborted.ts';
import '../../../shared/src/node/upstream/lenientHttp2.ts';
import type { OpenedTcp } from '../upstream/openSocket.ts';
import { SilenceWatch } from '../upstream/silenceWatch.ts';
import type { RelayConfig } from './relayConfig.ts';
import { PushedAnswers, type PromisedRequest, type PushedAnswer } from './pushedAnswers.ts';
import { RelayTunnel } from './relayTunnel.ts';
import type { RequestCarrier } from './requestCarrier.ts';

const { HTTP2_HEADER_AUTHORITY, HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_SCHEME, NGHTTP2_PROTOCOL_ERROR } = constants;

/** Never the limit: what may be on the way is the relay's to say, and the credits' of each server (creditTransport.ts). */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Of what Node keeps for the session: a page's streams that nobody reads for a while have room in it. */
const SESSION_MEGABYTES = 64;
/** Of one message (`RankMessage` of wire.ts). */
const MAX_RANKS = 1_000;
/** How soon the end of a connection that takes nothing new is seen. */
const LOOK_MS = 2_000;

const TRY_LATER = 'Pages go directly until it is there. See whether it runs, and whether its port can be reached.';
/** What a browser says twice is for the server to judge; of that option the types do not know. */
const ANY_FIELDS = { strictSingleValueFields: false };
/** Node 24 counts our own requests against what the relay may push at once, and resets what would be more: as many as it takes of us, and a page's pushes. */
const MAX_STREAMS = 1_000;

/** Who wants to know of a connection. */
export interface RelayListener {
  /** Something has come that is no answer to a beat. */
  heard(): void;
  /** A tunnel was opened, or bytes went on one. */
  used(): void;
  /** Whether it is silent for so long that the direct way is worth more. */
  isSilent(): boolean;
  /** The direct way has worked where the relay is silent. */
  overtaken(): void;
  /** It takes no new tunnels: it has ended, or is about to. Once. @param misfit why no other one would be of use: E_RELAY_VERSION; null where one may be */
  ended(misfit: FirstscreenError | null): void;
  /** Whether something that the relay pushes is wanted. */
  wantsPushed(request: PromisedRequest): boolean;
}

/** A connection to the relay that has taken us: TLS, HTTP/2, and its control stream. */
export class RelayConnection implements RequestCarrier {
  /** Of this machine. */
  readonly localAddress: string;
  /** The least that was seen. */
  rttMs: number;
  /** Whether it makes requests by itself. */
  readonly terminates: boolean;
  private readonly socket: Socket;
  private readonly secured: TLSSocket;
  private readonly session: ClientHttp2Session;
  private readonly control: ClientHttp2Stream;
  private readonly listener: RelayListener;
  private readonly tunnels = new Set<RelayTunnel>();
  private readonly pushed: PushedAnswers;
  private readonly watchers = new Set<() => void>();
  /** Of servers that the relay makes requests to (`onLate`). */
  private readonly lates = new Set<() => boolean>();
  private hasEnded = false;
  /** On which something went or came last. */
  private latest: RelayTunnel | null = null;
  /** What the relay was told that bodies are kept under. */
  private keptUnder: string | null = null;
  /** Levels by stream that the relay has not been told. */
  private readonly ranks = new Map<number, number>();

  private constructor(socket: Socket, secured: TLSSocket, rttMs: number, session: ClientHttp2Session, control: ClientHttp2Stream, listener: RelayListener, terminates: boolean) {
    [this.socket, this.secured, this.rttMs, this.session, this.control, this.listener, this.terminates] = [socket, secured, rttMs, session, control, listener, terminates];
    this.localAddress = socket.localAddress ?? '';
    this.pushed = new PushedAnswers((request) => listener.wantsPushed(request));
    session.on('stream', (stream, _headers, _flags, raw) => this.pushed.promised(stream, raw));
    const ended = (): void => {
      if (this.hasEnded) return;
      this.hasEnded = true;
      listener.ended(misfitOf(control));
      for (const closed of [...this.watchers]) closed();
    };
    session.once('goaway', ended);
    session.once('close', ended);
    control.once('close', () => session.closed || this.destroy());
  }

  /**
   * @param connect opens TCP to the relay
   * @param signal gives it up
   * @throws FirstscreenError E_RELAY_UNAVAILABLE, E_RELAY_IDENTITY, E_RELAY_REFUSED, E_RELAY_VERSION, E_RELAY_CONTROL
   */
  static async open(config: RelayConfig, connect: () => Promise<OpenedTcp>, listener: RelayListener, signal: AbortSignal): Promise<RelayConnection> {
    const { socket, rttMs } = await connectUnless(signal, connect);
    const giveUp = (): void => void socket.destroy();
    signal.addEventListener('abort', giveUp);
    try {
      const secured = await secure(socket, config);
      const session = http2.connect(`https://${authorityOf(config)}`, {
        createConnection: () => secured,
        settings: { initialWindowSize: STREAM_WINDOW_BYTES, maxConcurrentStreams: MAX_STREAMS },
        maxSessionMemory: SESSION_MEGABYTES,
        ...ANY_FIELDS,
      });
      // told by the close
      session.on('error', () => undefined);
      session.once('connect', () => session.setLocalWindowSize(SESSION_WINDOW_BYTES));
      const control = session.request({ [HTTP2_HEADER_METHOD]: 'POST', [HTTP2_HEADER_SCHEME]: 'https', [HTTP2_HEADER_AUTHORITY]: CONTROL_AUTHORITY, [HTTP2_HEADER_PATH]: CONTROL_PATH }, { endStream: false });
      control.on('error', () => undefined);
      const terminates = await greeted(control);
      return new RelayConnection(socket, secured, rttMs, session, control, listener, terminates);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** All that has come, so that it says whether anything has. */
  get receivedBytes(): number {
    return this.socket.bytesRead;
  }

  /** All that has left the session, whether or not it has left the machine: a beat goes behind it. */
  get sentBytes(): number {
    return this.secured.bytesWritten;
  }

  /** @returns null where the relay takes no more streams at once */
  tunnel(host: string, port: number, level: number): RelayTunnel | null {
    const { session } = this;
    if (session.closed || session.destroyed || this.tunnels.size + 1 >= (session.remoteSettings.maxConcurrentStreams ?? Infinity)) return null;
    const stream = session.request({ [HTTP2_HEADER_METHOD]: 'CONNECT', [HTTP2_HEADER_AUTHORITY]: authorityOf({ host, port }), [LEVEL_FIELD]: level }, { endStream: false });
    const tunnel = new RelayTunnel(stream, this.host);
    this.tunnels.add(tunnel);
    this.used(tunnel);
    stream.once('close', () => {
      this.tunnels.delete(tunnel);
      // by the first of them that hears of it
      if (this.isGone) for (const each of [...this.tunnels]) each.gone();
    });
    return tunnel;
  }

  get isOpen(): boolean {
    return !this.hasEnded && !this.session.closed && !this.isGone;
  }

  request(fields: readonly string[], endStream: boolean): ClientHttp2Stream {
    const stream = this.session.request([...fields], { endStream });
    this.watch(stream);
    stream.on('data', () => this.listener.heard());
    return stream;
  }

  takePushed(fields: readonly string[]): PushedAnswer | null {
    const pushed = this.pushed.take(fields);
    if (pushed?.head === null) this.watch(pushed.stream);
    return pushed;
  }

  promisedCookie(url: string, headers: RawHeaders): string | null | undefined {
    return this.pushed.cookieFor(url, headers);
  }

  /** A plan ranks dozens at a stroke: they are one message. */
  rank(stream: number, level: number): void {
    this.ranks.set(stream, level);
    if (this.ranks.size > 1) return;
    setImmediate(() => {
      const ranks = [...this.ranks].map(([id, latest]) => ({ stream: id, level: latest }));
      this.ranks.clear();
      for (let first = 0; first < ranks.length; first += MAX_RANKS) this.say({ type: 'rank', ranks: ranks.slice(first, first + MAX_RANKS) });
    });
  }

  connect(origin: string): void {
    this.say({ type: 'connect', origin });
  }

  get isSilent(): boolean {
    return this.isOpen && this.listener.isSilent();
  }

  overtaken(): void {
    this.listener.overtaken();
  }

  onLate(late: () => boolean): () => void {
    this.lates.add(late);
    return () => this.lates.delete(late);
  }

  onClosed(closed: () => void): () => void {
    this.watchers.add(closed);
    return () => this.watchers.delete(closed);
  }

  /** @returns the round trip, milliseconds. @throws FirstscreenError E_RELAY_UNAVAILABLE when the connection ends before the answer */
  ping(): Promise<number> {
    return new Promise((resolve, reject) => {
      const isSent = !this.session.destroyed && this.session.ping((error, rttMs) => {
        if (error !== null) {
          reject(unavailable('is gone', error));
          return;
        }
        this.rttMs = Math.min(this.rttMs, rttMs);
        resolve(rttMs);
      });
      if (!isSent) reject(unavailable('is gone'));
    });
  }

  /** Bodies are kept under this name at this end: those of another one are erased at the relay, too. */
  tellKept(name: string): void {
    if (name === this.keptUnder) return;
    this.keptUnder = name;
    this.say({ type: 'kept', name });
  }

  /** The relay is silent: what can be asked twice tries the direct way; where nothing can, the tunnel that was used last sees whether there is one. */
  race(): void {
    const trying = [...[...this.tunnels].map((tunnel) => tunnel.late()), ...[...this.lates].map((late) => late())].filter(Boolean);
    if (trying.length === 0 && this.latest !== null && this.tunnels.has(this.latest)) this.latest.probe();
  }

  /** Takes no new tunnels, and ends with the last of those that there are, or when the relay is not there: its beats are nobody's business any more, and TCP would wait a quarter of an hour. */
  close(): void {
    this.session.close();
    this.control.close();
    const silence = new SilenceWatch();
    const looking = setInterval(() => {
      const verdict = this.isGone ? 'dead' : silence.observe(this.receivedBytes, true, performance.now());
      if (verdict === 'ask') this.ping().catch(() => undefined);
      if (verdict !== 'dead') return;
      clearInterval(looking);
      this.destroy();
    }, LOOK_MS).unref();
  }

  /** Its tunnels fail. */
  destroy(): void {
    this.session.destroy(unavailable('is gone'));
    this.socket.destroy();
  }

  private get isGone(): boolean {
    return this.session.destroyed || this.secured.destroyed;
  }

  private get host(): RelayTunnel['host'] {
    return {
      rttMs: () => this.rttMs,
      localAddress: this.localAddress,
      rank: (stream, level) => this.rank(stream, level),
      heard: (tunnel) => {
        this.latest = tunnel;
        this.listener.heard();
      },
      wrote: (tunnel) => this.used(tunnel),
      isSilent: () => this.listener.isSilent(),
      overtaken: () => this.listener.overtaken(),
      isGone: () => this.isGone,
    };
  }

  private used(tunnel: RelayTunnel): void {
    this.latest = tunnel;
    this.listener.used();
  }

  /** An answer is waited for. */
  private watch(stream: ClientHttp2Stream): void {
    const answered = (): void => this.listener.heard();
    stream.once('response', answered).once('push', answered);
    this.listener.used();
  }

  private say(message: HelperControlMessage): void {
    if (this.control.writable) this.control.write(`${JSON.stringify(message)}\n`);
  }
}

async function connectUnless(signal: AbortSignal, connect: () => Promise<OpenedTcp>): Promise<OpenedTcp> {
  const opening = connect();
  try {
    return await unlessAborted(opening, signal);
  } catch (cause) {
    opening.then(({ socket }) => socket.destroy(), () => undefined);
    throw unavailable('can not be reached', cause);
  }
}

/** TLS with whoever has the key that the user has pinned, and with nobody else; no name and no authority has a say. */
async function secure(socket: Socket, { relayFingerprint, certificatePem, keyPem }: RelayConfig): Promise<TLSSocket> {
  const secured = connectTls({ socket, cert: certificatePem, key: keyPem, minVersion: 'TLSv1.3', ALPNProtocols: ['h2'], rejectUnauthorized: false });
  // told by the close
  secured.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    const fail = (cause?: unknown): void => reject(unavailable('ended the handshake of TLS', cause));
    secured.once('secureConnect', resolve);
    secured.once('error', fail);
    secured.once('close', () => fail());
  });
  const certificate = secured.getPeerX509Certificate();
  if (certificate === undefined || fingerprintOf(certificate) !== relayFingerprint) {
    throw new FirstscreenError('E_RELAY_IDENTITY', 'What answers at the address of the relay has another key.', 'Nothing was sent to it. If you have set the relay up anew, add it again with the fingerprint that it says.');
  }
  if (secured.alpnProtocol !== 'h2') throw unavailable('does not speak HTTP/2');
  return secured;
}

/** Settles when the relay has said hello in our version. @returns whether it makes requests by itself */
async function greeted(control: ClientHttp2Stream): Promise<boolean> {
  const lines = new ControlLines();
  const hello: PromiseWithResolvers<boolean> = Promise.withResolvers();
  control.setEncoding('utf8');
  control.on('data', (text: string) => {
    try {
      for (const line of lines.push(text)) {
        const { version, terminates } = parseMessage(line);
        if (version === RELAY_VERSION) hello.resolve(terminates);
        else throw otherRelease(`The relay speaks version ${version}, this helper version ${RELAY_VERSION}.`);
      }
    } catch (error) {
      hello.reject(error);
      control.destroy(error as Error);
    }
  });
  control.once('close', () => hello.reject(new FirstscreenError('E_RELAY_REFUSED', 'The relay has ended the connection before it said anything: it may not know this helper.', 'On the relay, run the line that "firstscreen-helper relay add" has said ("relay status" says it too).')));
  return hello.promise;
}

function parseMessage(line: string): RelayControlMessage {
  const { success, output } = v.safeParse(RelayControlMessage, parseControlLine(line));
  if (success) return output;
  throw otherRelease('The relay says what this helper does not know.');
}

/** Why one side does not understand what the other has said after the greeting, by how the control stream has ended; null where that is not so. */
function misfitOf({ errored, rstCode }: ClientHttp2Stream): FirstscreenError | null {
  if (codeOf(errored) === 'E_RELAY_VERSION') return errored as FirstscreenError;
  return rstCode === NGHTTP2_PROTOCOL_ERROR ? otherRelease('The relay does not know what this helper says.') : null;
}

function otherRelease(how: string): FirstscreenError {
  return new FirstscreenError('E_RELAY_VERSION', how, 'Bring helper and relay to one release.');
}

function unavailable(what: string, cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_RELAY_UNAVAILABLE', `The relay ${what}.`, TRY_LATER, { cause });
}
