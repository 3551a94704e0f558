import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { constants, createSecureServer, type Http2SecureServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough, Transform } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import type { ErrorCode } from '../../../shared/src/errors.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { fingerprintOf } from '../../../shared/src/node/relay/fingerprint.ts';
import { createIdentity, type Identity } from '../../../shared/src/relay/identity.ts';
import { CONTROL_PATH, ERROR_FIELD, FAR_FIELD, LEVEL_FIELD, RELAY_VERSION } from '../../../shared/src/relay/wire.ts';
import { RelayCarrier, type RelayCarrierOptions } from '../relay/relayCarrier.ts';
import { relayConfigOf, type RelayConfig } from '../relay/relayConfig.ts';
import { openLocally } from './loopback.ts';

/** As the relay's. */
const CARRIER_WINDOW_BYTES = 1_048_576;
/** So much comes at a time of a line that trickles, and goes at a time where it does so upwards. */
const [TRICKLE_BYTES, TRICKLE_MS, UP_MS] = [4_096, 5, 13];

/** Of an answer that does not come within a test. */
export const NEVER_MS = 600_000;

/** What a test has the relay say and do. */
export interface RelayBehaviour {
  /** Hosts that it refuses, and what it says. */
  readonly refuses?: Readonly<Record<string, ErrorCode>>;
  /** What its hello says in place of the usual. */
  readonly hello?: Readonly<Record<string, unknown>>;
  /** Whether it knows what helpers say. */
  readonly understands?: boolean;
  /** So long it takes for each answer. */
  readonly delayMs?: number;
  /** So long, it says, its handshakes with servers took; it does not say it without. */
  readonly farMs?: number;
  readonly maxStreams?: number;
  /** What it does with requests that it is to make; it makes none without. */
  readonly requested?: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
}

/** A relay as docs/relay.md has it, to which every name is this machine, behind a line that can go dead. */
export class TestRelay {
  readonly config: RelayConfig;
  /** What was asked for by CONNECT, in its order, with the level of its beginning. */
  readonly asked: string[] = [];
  /** Lines of the control stream. */
  readonly said: string[] = [];
  /** Bytes that came on each tunnel, in the order of their opening. */
  readonly received: Buffer[] = [];
  behaviour: RelayBehaviour = {};
  private readonly server: Http2SecureServer;
  private readonly line: Server;
  private readonly ends = new Set<Socket>();
  private readonly sessions = new Set<ServerHttp2Session>();
  /** Both ends of each connection on the line. */
  private readonly lines = new Set<readonly [Socket, Socket]>();
  private isDead = false;
  private isTrickling = false;

  private constructor(server: Http2SecureServer, line: Server, config: RelayConfig) {
    [this.server, this.line, this.config] = [server, line, config];
  }

  /** @param behaviour from its first moment @param known the fingerprint that it lets in; that of its own configuration by default */
  static async start(behaviour: RelayBehaviour = {}, known?: string): Promise<TestRelay> {
    const [own, helper] = await Promise.all([createIdentity('relay', new Date()), createIdentity('helper', new Date())]);
    const server = await listenLocally(createSecureServer({
      key: own.keyPem, cert: own.certificatePem, minVersion: 'TLSv1.3', ALPNProtocols: ['h2'], requestCert: true, rejectUnauthorized: false,
      settings: behaviour.maxStreams === undefined ? {} : { maxConcurrentStreams: behaviour.maxStreams },
    }));
    const line = await listenLocally(createServer({ pauseOnConnect: true }));
    const relay = new TestRelay(server, line, configOf(own, helper, line));
    relay.behaviour = behaviour;
    server.on('secureConnection', (socket: TLSSocket) => {
      const certificate = socket.getPeerX509Certificate();
      if (certificate === undefined || fingerprintOf(certificate) !== (known ?? helper.fingerprint)) socket.destroy();
    });
    server.on('connection', (socket: Socket) => {
      relay.ends.add(socket.on('error', () => undefined));
      socket.once('close', () => relay.ends.delete(socket));
    });
    server.on('session', (session) => {
      relay.sessions.add(session.on('error', () => undefined));
      session.setLocalWindowSize(CARRIER_WINDOW_BYTES);
      session.once('close', () => relay.sessions.delete(session));
    });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      const { ':method': method, ':authority': authority = '', ':path': path } = headers;
      if (method === 'CONNECT') relay.connect(stream, authority, String(headers[LEVEL_FIELD]));
      else if (path === CONTROL_PATH) relay.control(stream);
      else relay.behaviour.requested?.(stream, headers);
    });
    line.on('connection', (socket) => relay.pass(socket));
    return relay;
  }

  /** What carries a helper's connections to it, once it is connected. */
  async carrier(options: Pick<RelayCarrierOptions, 'wantsPushed'> = {}): Promise<RelayCarrier> {
    const connected: PromiseWithResolvers<void> = Promise.withResolvers();
    const carrier = new RelayCarrier({ config: this.config, connect: () => openLocally(this.config.port), roundTrip: () => undefined, log: ({ message }) => message === 'connected' && connected.resolve(), ...options });
    await connected.promise;
    return carrier;
  }

  /** Connections that helpers have with it. */
  get connections(): number {
    return this.sessions.size;
  }

  /** It is gone at once, and what follows is refused. */
  async kill(): Promise<void> {
    this.line.close();
    for (const end of this.ends) end.resetAndDestroy();
    await once(this.line, 'close');
  }

  /** Nothing passes the line any more, in either direction, and nobody says so. */
  goDead(): void {
    this.isDead = true;
    for (const end of this.ends) end.unpipe().pause();
  }

  /** All that was held up comes, and the line is as before. */
  comeBack(): void {
    this.isDead = false;
    for (const [near, far] of this.lines) {
      near.pipe(far);
      far.pipe(near);
    }
  }

  /** What passes from now on comes in small pieces. */
  trickle(): void {
    this.isTrickling = true;
    for (const [near, far] of this.lines) {
      far.unpipe(near);
      far.pipe(trickling(TRICKLE_MS)).pipe(near);
    }
  }

  /** What goes to it from now on goes slowly. */
  trickleUp(): void {
    for (const [near, far] of this.lines) {
      near.unpipe(far);
      near.pipe(trickling(UP_MS)).pipe(far);
    }
  }

  /** It is there again, at its place, after `kill`. */
  async restart(): Promise<void> {
    this.line.listen(this.config.port, '127.0.0.1');
    await once(this.line, 'listening');
  }

  /** Takes no more of its helpers' streams, and ends with the last of them. */
  retire(): void {
    for (const session of this.sessions) session.close();
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    for (const end of this.ends) end.destroy();
    this.line.close();
    await endServer(this.server);
  }

  private pass(near: Socket): void {
    this.ends.add(near.on('error', () => undefined));
    near.once('close', () => this.ends.delete(near));
    if (this.isDead) return;
    const far = connect(portOf(this.server), '127.0.0.1');
    this.ends.add(far.on('error', () => undefined));
    far.once('close', () => {
      this.ends.delete(far);
      if (!this.isDead) near.destroy();
    });
    const line = [near, far] as const;
    // what has left the relay is there, and not behind an acknowledgement that the other end saves
    for (const end of line) end.setNoDelay(true);
    this.lines.add(line);
    near.once('close', () => {
      far.destroy();
      this.lines.delete(line);
    });
    near.pipe(far);
    if (this.isTrickling) far.pipe(trickling(TRICKLE_MS)).pipe(near);
    else far.pipe(near);
  }

  private control(stream: ServerHttp2Stream): void {
    stream.respond({ ':status': 200 });
    stream.write(`${JSON.stringify({ type: 'hello', version: RELAY_VERSION, terminates: this.behaviour.requested !== undefined, ...this.behaviour.hello })}\n`);
    stream.on('data', (chunk: Buffer) => {
      this.said.push(...chunk.toString().trim().split('\n'));
      if (this.behaviour.understands === false) stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    });
    stream.once('end', () => stream.end());
  }

  private connect(stream: ServerHttp2Stream, authority: string, level: string): void {
    this.asked.push(`${authority} ${level}`);
    const place = this.received.push(Buffer.alloc(0)) - 1;
    const bytes = new PassThrough();
    stream.on('data', (chunk: Buffer) => (this.received[place] = Buffer.concat([this.received[place] ?? Buffer.alloc(0), chunk])));
    stream.pipe(bytes);
    setTimeout(() => this.answer(stream, bytes, authority), this.behaviour.delayMs ?? 0);
  }

  private answer(stream: ServerHttp2Stream, bytes: PassThrough, authority: string): void {
    const { host = '', port = 0 } = parseAuthority(authority) ?? {};
    const code = this.behaviour.refuses?.[host];
    if (stream.destroyed) return;
    if (code !== undefined) {
      stream.respond({ ':status': 502, [ERROR_FIELD]: code }, { endStream: true });
      return;
    }
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    server.once('connect', () => stream.destroyed || stream.respond({ ':status': 200, ...(this.behaviour.farMs !== undefined && { [FAR_FIELD]: this.behaviour.farMs }) }));
    server.on('error', () => stream.destroy(new Error('the server has broken it off')));
    stream.once('close', () => server.destroy());
    bytes.pipe(server);
    server.pipe(stream);
  }
}

function trickling(ms: number): Transform {
  return new Transform({
    highWaterMark: TRICKLE_BYTES,
    transform(chunk: Buffer, _encoding, done) {
      const pieces = Array.from({ length: Math.ceil(chunk.length / TRICKLE_BYTES) }, (_, place) => chunk.subarray(place * TRICKLE_BYTES, (place + 1) * TRICKLE_BYTES));
      const next = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) return done();
        this.push(piece);
        setTimeout(next, ms);
      };
      next();
    },
  });
}

function configOf(own: Identity, helper: Identity, line: Server): RelayConfig {
  const port = portOf(line);
  return relayConfigOf({ host: '127.0.0.1', port, relayFingerprint: fingerprintOf(new X509Certificate(own.certificatePem)), certificatePem: helper.certificatePem, keyPem: helper.keyPem });
}
