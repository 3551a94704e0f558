import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import type { LogEntry } from '../../../shared/src/log.ts';
import type { Address } from '../../../shared/src/names/address.ts';
import { publicWith } from '../../../shared/src/names/addressPolicy.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { createIdentity, type Identity } from '../../../shared/src/relay/identity.ts';
import { CONTROL_AUTHORITY, CONTROL_PATH, LEVEL_FIELD } from '../../../shared/src/relay/wire.ts';
import { CarrierServer } from '../carrier/carrierServer.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ClientRequests } from '../requests/clientRequests.ts';
import { ServerAgent } from '../requests/serverAgent.ts';
import { CARRIER_LIMITS, type CarrierLimits } from '../carrier/limits.ts';
import { ServerOpener } from '../tunnels/openServer.ts';

/** As if it were of the public web; every other address of loopback is as private as it is. */
export const PUBLIC_HOST = '127.0.0.2';
export const LISTENS = { host: '127.0.0.1', port: 0 };

/** Of a client of tests, which lets much come. */
const STREAM_WINDOW_BYTES = 1 << 20;
const CARRIER_WINDOW_BYTES = 1 << 24;
/** So that a test can send more than the relay takes. */
const MAX_HEADER_BYTES = 1 << 20;
/** So that a test can write a body at once. */
const SESSION_MEGABYTES = 128;

export interface TestRelayOptions {
  readonly limits?: Partial<CarrierLimits>;
  /** Addresses of names, as the hosts file has them; `a.test` is on the public web. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly openingLimitMs?: number;
}

/** A relay on loopback, with clients that it knows. */
export class TestRelay {
  readonly log: LogEntry[] = [];
  readonly clients = new Map<string, string>();
  readonly names: Map<string, Address[]>;
  readonly server: CarrierServer;
  private readonly sessions: ClientHttp2Session[] = [];
  address: AddressInfo = { address: '', port: 0, family: '' };

  private constructor({ keyPem, certificatePem }: Identity, { limits = {}, names = {}, openingLimitMs }: TestRelayOptions) {
    const family = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);
    this.names = new Map(Object.entries({ 'a.test': [PUBLIC_HOST], ...names }).map(([name, addresses]) => [name, addresses.map((address) => ({ address, family: family(address) }))]));
    const unknown = (): Promise<never> => Promise.reject(new Error('nobody knows it'));
    const resolver = new HostResolver({ hosts: () => this.names, ask: unknown, lookup: unknown, looksFurther: () => true, now: () => performance.now() });
    const opener = new ServerOpener({ resolver, isPublic: publicWith(`${PUBLIC_HOST}/32`) }, openingLimitMs);
    this.server = new CarrierServer({
      key: keyPem,
      certificate: certificatePem,
      nameOf: (fingerprint) => this.clients.get(fingerprint) ?? null,
      opener,
      newRequests: () => new ClientRequests(new ServerAgent(async (host, port) => (await opener.open({ host, port }, new AbortController().signal)).socket, new TlsStarter(null))),
      limits: { ...CARRIER_LIMITS, ...limits },
      log: (entry) => this.log.push(entry),
    });
  }

  static async start(options: TestRelayOptions = {}): Promise<TestRelay> {
    const self = new TestRelay(await createIdentity('relay', new Date()), options);
    self.address = await self.server.listen(LISTENS);
    return self;
  }

  /** A new client that the relay knows by this name. */
  async client(name = 'laptop'): Promise<Identity> {
    const identity = await createIdentity(name, new Date());
    this.clients.set(identity.fingerprint, name);
    return identity;
  }

  /** A connection of TLS, whoever makes it. */
  tls(identity: Identity | null, options: ConnectionOptions = {}): TLSSocket {
    const own = identity === null ? {} : { key: identity.keyPem, cert: identity.certificatePem };
    const socket = connectTls({ host: LISTENS.host, port: this.address.port, rejectUnauthorized: false, ALPNProtocols: ['h2'], ...own, ...options });
    return socket.on('error', () => undefined);
  }

  /** A carrier of a client. */
  async connect(identity: Identity): Promise<ClientHttp2Session> {
    const socket = this.tls(identity);
    const session = connectHttp2('https://relay', { createConnection: () => socket, settings: { initialWindowSize: STREAM_WINDOW_BYTES }, maxSendHeaderBlockLength: MAX_HEADER_BYTES, maxSessionMemory: SESSION_MEGABYTES });
    session.on('error', () => undefined);
    this.sessions.push(session);
    await once(session, 'remoteSettings');
    session.setLocalWindowSize(CARRIER_WINDOW_BYTES);
    return session;
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.destroy();
    await this.server.close();
  }
}

/** Asks for a tunnel; what goes wrong with it is in its answer and its `rstCode`. */
export function requestTunnel(session: ClientHttp2Session, authority: string, level?: number): ClientHttp2Stream {
  const stream = session.request({ ':method': 'CONNECT', ':authority': authority, ...(level !== undefined && { [LEVEL_FIELD]: String(level) }) });
  return stream.on('error', () => undefined);
}

export async function answerOf(stream: ClientHttp2Stream): Promise<IncomingHttpHeaders> {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  return headers;
}

export function openControl(session: ClientHttp2Session): ClientHttp2Stream {
  const stream = session.request({ ':method': 'POST', ':scheme': 'https', ':authority': CONTROL_AUTHORITY, ':path': CONTROL_PATH });
  return stream.on('error', () => undefined);
}

/** When a stream is over, whatever has gone wrong. @returns its code */
export async function endOf(stream: ClientHttp2Stream): Promise<number | undefined> {
  if (!stream.closed) await new Promise((resolve) => stream.resume().once('close', resolve));
  return stream.rstCode;
}
