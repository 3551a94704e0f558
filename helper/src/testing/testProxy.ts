import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry } from '../../../shared/src/log.ts';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import type { HelperParts } from '../../../shared/src/parts.ts';
import { ALL_PARTS } from '../parts.ts';
import type { Address } from '../../../shared/src/names/address.ts';
import { basicAuthorization, makeCredentials, type Credentials } from '../proxy/credentials.ts';
import { ProxyServer } from '../proxy/proxyServer.ts';
import { TunnelBudget } from '../tunnels/tunnelBudget.ts';
import { TunnelTurns } from '../tunnels/tunnelTurns.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import { DirectConnection } from '../upstream/directConnection.ts';
import { RelayCarrier } from '../relay/relayCarrier.ts';
import type { RelayConfig } from '../relay/relayConfig.ts';
import { RelayHosts } from '../relay/relayHosts.ts';
import { RelayRoute } from '../relay/relayRoute.ts';
import { SocketOpener } from '../upstream/socketOpener.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { ANY_LINK, LOOPBACK, namesBy, openLocally } from './loopback.ts';
import { testUpstream } from './testUpstream.ts';

const SPOOL_BYTES = { memory: 64 * 1024, disk: 64 * 1024 * 1024 };
const DEVICE: Address = { address: '127.0.0.2', family: 4 };
/** Names that lead elsewhere than to this machine, which is the web here. */
const ELSEWHERE: Readonly<Record<string, readonly Address[]>> = { 'nowhere.test': [], 'device.test': [DEVICE] };
/** How often it is looked whether the relay is there. */
const LOOK_MS = 5;

/** An answer as a client of the proxy sees it. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly trailers: NodeJS.Dict<string>;
  readonly body: Buffer;
  /** The connection ended before the answer was whole. */
  readonly isCut: boolean;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | Readable;
  readonly credentials?: Pick<Credentials, 'username' | 'password'> | null;
}

/** The real proxy with real connections, every name of which is this machine, and a client for it. */
export class TestProxy {
  readonly credentials = makeCredentials();
  readonly log: LogEntry[] = [];
  /** Hosts that were given back to the browser. */
  readonly left: string[] = [];
  /** Whether the browser takes them. */
  mayLeave = true;
  port = 0;
  /** Of the link, as far as tunnels are told of it. */
  rttMs = 0;
  private readonly directory = mkdtempSync(join(tmpdir(), 'firstscreen-proxy-'));
  readonly upstream: Upstream;
  private readonly server: ProxyServer;
  private readonly agent = new Agent({ keepAlive: true });

  /** Names that were looked up on this machine. */
  readonly lookedUp: string[] = [];
  private readonly relay: RelayRoute | null;

  private constructor(parts: HelperParts, relay: RelayConfig | null) {
    const names = namesBy((host) => {
      this.lookedUp.push(host);
      return Promise.resolve(ELSEWHERE[host] ?? [LOOPBACK]);
    });
    const log = (entry: LogEntry): void => void this.log.push(entry);
    this.relay = relay && new RelayRoute(
      new RelayCarrier({ config: relay, connect: () => openLocally(relay.port), roundTrip: () => undefined, log }),
      new RelayHosts({ isPublic: () => false, named: () => new Map(), searched: () => [] }),
    );
    const sockets = new SocketOpener(names, ANY_LINK, new TlsStarter(null), (address) => address === LOOPBACK.address, this.relay);
    const scheduler = new FetchScheduler(fetchScheme(parts, () => INITIAL_LINK));
    this.upstream = testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await sockets.openFor(origin), onClosed), { scheduler, log });
    this.server = new ProxyServer(this.credentials, {
      fetch: (request, sink) => this.upstream.fetch(request, sink),
      ranks: { describe: () => ({ fetchClass: FetchClass.unplaced, index: 0, bytes: 4000 }), watch: () => () => undefined, answered: () => undefined },
      asked: () => undefined,
      leave: (host) => Promise.resolve(this.left.push(host) > 0 && this.mayLeave),
      turns: new TunnelTurns(new TunnelBudget(2), () => this.rttMs),
      interceptor: null,
      openTunnel: ({ host, port }) => sockets.open(host, port, true),
      spool: { budget: new SpoolBudget({ memory: Infinity, disk: Infinity }), directory: this.directory, maxBytes: SPOOL_BYTES },
      log,
    });
  }

  /** @param relay waited for, where there is one */
  static async start(parts: HelperParts = ALL_PARTS, relay: RelayConfig | null = null): Promise<TestProxy> {
    const proxy = new TestProxy(parts, relay);
    while (relay !== null && !proxy.hasRelay) await sleep(LOOK_MS);
    proxy.port = await proxy.server.listen();
    return proxy;
  }

  async close(): Promise<void> {
    this.agent.destroy();
    this.upstream.close();
    this.relay?.close();
    await this.server.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Whether the relay has taken us the last time that something was logged of it. */
  get hasRelay(): boolean {
    return this.log.findLast(({ scope }) => scope === 'relay')?.message === 'connected';
  }

  /** Makes a request through the proxy. @throws when the connection ends without an answer */
  request(url: string, { method = 'GET', headers = {}, body, credentials = this.credentials }: RequestOptions = {}): Promise<Answer> {
    const authorization = credentials === null ? {} : { 'proxy-authorization': basicAuthorization(credentials) };
    return new Promise((resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port: this.port, agent: this.agent, method, path: url, headers: { host: new URL(url).host, ...authorization, ...(headers as Record<string, string | string[]>) } });
      request.on('error', reject);
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        const end = (isCut: boolean): void => {
          const { statusCode = 0, statusMessage: statusText = '', rawHeaders, trailers } = response;
          resolve({ status: statusCode, statusText, headers: response.headers, rawHeaders, trailers, body: Buffer.concat(chunks), isCut });
        };
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => end(false));
        response.on('error', () => end(true));
      });
      if (body === undefined || Buffer.isBuffer(body)) request.end(body);
      else body.pipe(request);
    });
  }

  /** A connection to the proxy's port, to say anything on. */
  socket(): Socket {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    return socket;
  }

  get authorization(): string {
    return basicAuthorization(this.credentials);
  }
}
