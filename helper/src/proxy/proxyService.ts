import { setTimeout as sleep } from 'node:timers/promises';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { LinkEstimator, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import type { IsPublic } from '../names/addressPolicy.ts';
import { HostResolver } from '../names/resolveHost.ts';
import { systemSources } from '../names/systemSources.ts';
import { watchNetwork } from '../names/networkWatch.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import { sweepSpools } from '../spool/spoolFile.ts';
import { Interceptor } from '../interception/interceptor.ts';
import { passUpgrade } from '../interception/passUpgrade.ts';
import type { Authority } from '../trust/authority.ts';
import type { ExcludedHosts } from '../trust/excludedHosts.ts';
import { UpstreamConnection } from '../upstream/connection.ts';
import { SocketOpener, hostAndPortOf } from '../upstream/socketOpener.ts';
import { TlsStarter, serverTrust } from '../upstream/startTls.ts';
import { Upstream } from '../upstream/upstream.ts';
import { makeCredentials, type Credentials } from './credentials.ts';
import { exchange, type ExchangeHost } from './exchange.ts';
import type { HelperParts } from '../parts.ts';
import type { ObjectRanks } from '../prediction/objectRanks.ts';
import { neededOrigins } from './neededOrigins.ts';
import { Predictor } from '../prediction/predictor.ts';
import { PreparedTunnels } from '../tunnels/preparedTunnels.ts';
import { ProxyServer, type DrainLimits } from './proxyServer.ts';
import { MAX_HANDSHAKES, TunnelBudget } from '../tunnels/tunnelBudget.ts';
import { TunnelTurns } from '../tunnels/tunnelTurns.ts';

export interface ProxyServiceOptions {
  readonly parts: HelperParts;
  /** Where the helper may connect to; the browser goes everywhere else itself. */
  readonly isPublic: IsPublic;
  readonly ranks: ObjectRanks;
  /** What a visit to a page is expected to need (Predictor). */
  readonly expected: (url: string) => readonly NeededObject[];
  /** The round trip of the link seems to be another. */
  readonly roundTrip: (rttMs: number) => void;
  /** Asks the extension to have the browser go to this host itself. @returns whether it will */
  readonly leave: (host: string) => Promise<boolean>;
  /** Private to the user. */
  readonly spoolDirectory: string;
  /** What the user has had trusted, and what stays untouched all the same; null without that. */
  readonly trust: { readonly authority: Authority; readonly excluded: Pick<ExcludedHosts, 'reasonFor'>; readonly serverAuthorities: string | null } | null;
  /** On which links it is worth foreseeing what the browser will ask for. */
  readonly doesPay: (link: LinkEstimate) => boolean;
  readonly log: LogSink;
}

interface Running {
  readonly server: ProxyServer;
  readonly upstream: Upstream;
  readonly interceptor: Interceptor | null;
  readonly predictor: Predictor;
  readonly tunnels: PreparedTunnels;
  readonly watching: NodeJS.Timeout;
}

/** What speaks HTTP/2 needs no second connection, and with TLS one costs kilobytes. */
function reserve(upstream: Upstream, origin: string): void {
  if (origin.startsWith('http:')) upstream.reserve(origin);
}

/** How often it is looked whether anything is on the way. */
const LOOK_MS = 250;

/** What reading a page ahead comes to is no page's concern: a defect there ends the reading, not the helper. */
function carefully(read: () => void, log: LogSink): void {
  try {
    read();
  } catch (error) {
    log({ level: 'warn', scope: 'foresight', message: 'a document could not be read', fields: { code: error instanceof FirstscreenError ? error.code : 'E_INTERNAL' } });
  }
}

/** The proxy with all that it needs of this machine. */
export class ProxyService {
  readonly port: number;
  readonly credentials: Credentials;
  private readonly running: Running;
  private readonly log: LogSink;

  private constructor(port: number, credentials: Credentials, running: Running, log: LogSink) {
    this.port = port;
    this.credentials = credentials;
    this.running = running;
    this.log = log;
  }

  static async start({ parts, isPublic, ranks, expected, roundTrip, leave, spoolDirectory, trust, doesPay, log }: ProxyServiceOptions): Promise<ProxyService> {
    await sweepSpools(spoolDirectory);
    const now = (): number => performance.now();
    const link = new LinkEstimator();
    const resolver = new HostResolver(systemSources());
    const tls = new TlsStarter(() => serverTrust(trust?.serverAuthorities ?? null));
    if (trust !== null) setImmediate(() => tls.prepare());
    const sockets = new SocketOpener(resolver, {
      rttMs: () => link.estimate().rttMs,
      roundTrip: (rttMs) => {
        const before = link.estimate().rttMs;
        link.roundTrip(rttMs, now());
        const after = link.estimate().rttMs;
        if (after !== before) roundTrip(after);
      },
    }, tls, isPublic);
    const upstream = new Upstream({
      scheduler: new FetchScheduler(fetchScheme(parts, () => link.estimate())),
      open: async (origin, id, onClosed, { isPinned }) => new UpstreamConnection(id, origin, await sockets.openFor(origin, isPinned ? { protocols: ['http/1.1'] } : {}), onClosed),
      measured: (sample) => link.add(sample),
      tellsUrgency: parts.prioritizing,
      log,
      now,
    });
    const spool = spoolOf(spoolDirectory);
    const predictor = new Predictor({ isWorthwhile: () => doesPay(link.estimate()), navigated: (origin) => reserve(upstream, origin), fetch: (request, sink) => upstream.fetch(request, sink), ranks, expected, spool, readLater: (read) => void setImmediate(() => carefully(read, log)), now, wallNow: () => Date.now() });
    const exchangeHost: ExchangeHost = {
      fetch: (request, sink) => (parts.foresight ? predictor.fetch(request, sink) : upstream.fetch(request, sink)),
      describe: (url, headers) => ranks.describe(url, headers),
      answered: (url, request, response) => ranks.answered(url, request, response),
      leave,
      spool,
    };
    const credentials = makeCredentials();
    const interceptor = trust === null ? null : await interceptorFor(trust, credentials.ownHost, exchangeHost, upstream, sockets, log);
    const tunnels = new PreparedTunnels(({ host, port }) => sockets.open(host, port, { allowHalfOpen: true }));
    const turns = new TunnelTurns(new TunnelBudget(parts.prioritizing ? MAX_HANDSHAKES : Infinity), () => link.estimate().rttMs, now);
    const server = new ProxyServer(credentials, { ...exchangeHost, openTunnel: (destination) => tunnels.take(destination), turns, interceptor, log });
    const watching = watchNetwork((isUsable) => {
      resolver.forgetAll();
      tunnels.close();
      upstream.networkChanged(isUsable);
    }, () => upstream.checkConnections());
    return new ProxyService(await server.listen(), credentials, { server, upstream, interceptor, predictor, tunnels, watching }, log);
  }

  get canIntercept(): boolean {
    return this.running.interceptor !== null;
  }

  /** A page that is on its way is expected to need these: their servers get a connection each, so that its requests find one. What can not be made is silent; the requests will tell. */
  prepare(needed: readonly NeededObject[]): void {
    for (const origin of neededOrigins(needed)) void this.prepareFor(origin).catch(() => undefined);
  }

  /** The browser turns http: into https: for these hosts. */
  upgraded(hosts: readonly string[]): void {
    this.running.predictor.upgraded(hosts);
  }

  /** The browser has shown that it trusts our authority. */
  intercept(): void {
    if (this.running.interceptor !== null) this.running.interceptor.isOn = true;
  }

  /** Settles when nothing is on the way to a server. */
  async settled(): Promise<void> {
    while (this.running.upstream.isBusy) await sleep(LOOK_MS, undefined, { ref: false });
  }

  /** Takes nothing new, and settles when what is under way has ended, or takes too long. */
  async drain(limits?: DrainLimits): Promise<void> {
    this.running.tunnels.close();
    await this.running.server.drain(limits);
  }

  async close(): Promise<void> {
    const { server, upstream, interceptor, predictor, tunnels, watching } = this.running;
    clearInterval(watching);
    predictor.close();
    this.log({ level: 'info', scope: 'foresight', message: 'what was foreseen', fields: { ...predictor.waste } });
    tunnels.close();
    upstream.close();
    interceptor?.close();
    await server.close();
  }

  private async prepareFor(origin: string): Promise<void> {
    const { upstream, interceptor, tunnels } = this.running;
    const destination = hostAndPortOf(origin);
    if (origin.startsWith('https:') && interceptor?.wants(destination) !== true) tunnels.prepare(destination);
    // a server that does not verify is a tunnel's all the same
    else await upstream.prepare(origin).catch(() => origin.startsWith('https:') && tunnels.prepare(destination));
  }
}

async function interceptorFor({ authority, excluded }: NonNullable<ProxyServiceOptions['trust']>, ownHost: string, exchangeHost: ExchangeHost, upstream: Upstream, sockets: SocketOpener, log: LogSink): Promise<Interceptor> {
  // what makes certificates takes 100 ms of processor to load
  const { LeafCertificates } = await import(/* webpackMode: "eager" */ '../trust/leafCertificates.ts');
  const leaves = new LeafCertificates(authority);
  return new Interceptor(
    {
      ownHost,
      secureContextFor: (host) => leaves.secureContextFor(host),
      prepare: (origin) => upstream.prepare(origin),
      requested: (browser, destination, path) => exchange(browser, { ...destination, path }, exchangeHost),
      upgraded: (request, browser, head, { host, port }) => void passUpgrade(request, browser, head, sockets.openTls(host, port, { protocols: ['http/1.1'] })),
      log,
    },
    excluded,
  );
}
