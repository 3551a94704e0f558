import { LinkEstimator, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import type { SchemeName } from '../../../shared/src/fetching/schemeNames.ts';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { HostResolver } from '../names/resolveHost.ts';
import { systemSources } from '../names/systemSources.ts';
import { spoolOf } from '../spool/spoolSizes.ts';
import { sweepSpools } from '../spool/spoolFile.ts';
import { Interceptor } from '../interception/interceptor.ts';
import { passUpgrade } from '../interception/passUpgrade.ts';
import type { Authority } from '../trust/authority.ts';
import type { ExcludedHosts } from '../trust/excludedHosts.ts';
import { LeafCertificates } from '../trust/leafCertificates.ts';
import { UpstreamConnection } from '../upstream/connection.ts';
import { SocketOpener, hostAndPortOf } from '../upstream/socketOpener.ts';
import { TlsStarter } from '../upstream/startTls.ts';
import { Upstream } from '../upstream/upstream.ts';
import { makeCredentials, type Credentials } from './credentials.ts';
import { exchange, type ExchangeHost } from './exchange.ts';
import type { ObjectRanks } from '../prediction/objectRanks.ts';
import { neededOrigins } from './neededOrigins.ts';
import { Predictor, type PredictorOptions } from '../prediction/predictor.ts';
import { PreparedTunnels } from '../tunnels/preparedTunnels.ts';
import { ProxyServer } from './proxyServer.ts';
import { MAX_HANDSHAKES, TunnelBudget } from '../tunnels/tunnelBudget.ts';
import { TunnelTurns } from '../tunnels/tunnelTurns.ts';

export interface ProxyServiceOptions {
  readonly scheme: SchemeName;
  readonly ranks: ObjectRanks;
  /** What a visit to a page is expected to need (Predictor). */
  readonly expected: (url: string) => readonly NeededObject[];
  readonly foresaw: PredictorOptions['foresaw'];
  /** The round trip of the link seems to be another. */
  readonly roundTrip: (rttMs: number) => void;
  /** Asks the extension to have the browser go to this host itself. @returns whether it will */
  readonly leave: (host: string) => Promise<boolean>;
  /** Private to the user. */
  readonly spoolDirectory: string;
  /** What the user has had trusted, and what stays untouched all the same; null without that. */
  readonly trust: { readonly authority: Authority; readonly excluded: Pick<ExcludedHosts, 'reasonFor'> } | null;
  /** On which links it is worth foreseeing what the browser will ask for. */
  readonly doesPay: (link: LinkEstimate) => boolean;
  /** Towards servers. */
  readonly tls?: TlsStarter;
  readonly log: LogSink;
}

/** Only where an origin has shown that it can take more; none has a way to show it yet. */
const PIPELINING = 1;

interface Parts {
  readonly server: ProxyServer;
  readonly upstream: Upstream;
  readonly interceptor: Interceptor | null;
  readonly predictor: Predictor;
  readonly tunnels: PreparedTunnels;
}

/** The whole accelerator foresees too; the other schemes are parts of it, for comparison. */
function predicts(scheme: SchemeName): boolean {
  return scheme === 'all';
}

/** The plain scheme answers as they come. */
function maxHandshakes(scheme: SchemeName): number {
  return scheme === 'conv' ? Infinity : MAX_HANDSHAKES;
}

/** What speaks HTTP/2 needs no second connection, and with TLS one costs kilobytes. */
function reserve(upstream: Upstream, origin: string): void {
  if (origin.startsWith('http:')) upstream.reserve(origin);
}

/** The proxy with all that it needs of this machine. */
export class ProxyService {
  readonly port: number;
  readonly credentials: Credentials;
  private readonly parts: Parts;
  private readonly log: LogSink;

  private constructor(port: number, credentials: Credentials, parts: Parts, log: LogSink) {
    this.port = port;
    this.credentials = credentials;
    this.parts = parts;
    this.log = log;
  }

  static async start({ scheme, ranks, expected, foresaw, roundTrip, leave, spoolDirectory, trust, doesPay, tls = new TlsStarter(), log }: ProxyServiceOptions): Promise<ProxyService> {
    await sweepSpools(spoolDirectory);
    const now = (): number => performance.now();
    const link = new LinkEstimator();
    const sockets = new SocketOpener(new HostResolver(systemSources(now)), {
      rttMs: () => link.estimate().rttMs,
      roundTrip: (rttMs) => {
        const before = link.estimate().rttMs;
        link.roundTrip(rttMs, now());
        const after = link.estimate().rttMs;
        if (after !== before) roundTrip(after);
      },
    }, tls);
    const upstream = new Upstream({
      scheduler: new FetchScheduler(fetchScheme(scheme, () => link.estimate())),
      open: async (origin, id, onClosed) => new UpstreamConnection(id, origin, await sockets.openFor(origin), PIPELINING, onClosed),
      measured: (sample) => link.add(sample),
      tellsUrgency: scheme !== 'conv',
      log,
      now,
    });
    const spool = spoolOf(spoolDirectory);
    const predictor = new Predictor({ isWorthwhile: () => doesPay(link.estimate()), navigated: (origin) => reserve(upstream, origin), fetch: (request, sink) => upstream.fetch(request, sink), ranks, expected, foresaw, spool, now, wallNow: () => Date.now() });
    const exchangeHost: ExchangeHost = {
      fetch: (request, sink) => (predicts(scheme) ? predictor.fetch(request, sink) : upstream.fetch(request, sink)),
      describe: (url, headers) => ranks.describe(url, headers),
      answered: (url, request, response) => ranks.answered(url, request, response),
      leave,
      spool,
    };
    const credentials = makeCredentials();
    const interceptor = trust === null ? null : interceptorFor(trust, credentials.ownHost, exchangeHost, upstream, sockets, log);
    const tunnels = new PreparedTunnels(({ host, port }) => sockets.open(host, port, true));
    const turns = new TunnelTurns(new TunnelBudget(maxHandshakes(scheme)), () => link.estimate().rttMs, now);
    const server = new ProxyServer(credentials, { ...exchangeHost, openTunnel: (destination) => tunnels.take(destination), turns, interceptor, log });
    return new ProxyService(await server.listen(), credentials, { server, upstream, interceptor, predictor, tunnels }, log);
  }

  get canIntercept(): boolean {
    return this.parts.interceptor !== null;
  }

  /** Whether an image is there, or comes, without the browser's asking. */
  foreseen(url: string): 'here' | 'coming' | undefined {
    return this.parts.predictor.stateOf(url);
  }

  /** A page that is on its way is expected to need these: their servers get a connection each, so that its requests find one. What can not be made is silent; the requests will tell. */
  prepare(needed: readonly NeededObject[]): void {
    for (const origin of neededOrigins(needed)) void this.prepareFor(origin).catch(() => undefined);
  }

  /** The browser turns http: into https: for these hosts. */
  upgraded(hosts: readonly string[]): void {
    this.parts.predictor.upgraded(hosts);
  }

  /** The browser has shown that it trusts our authority. */
  intercept(): void {
    if (this.parts.interceptor !== null) this.parts.interceptor.isOn = true;
  }

  async close(): Promise<void> {
    const { server, upstream, interceptor, predictor, tunnels } = this.parts;
    predictor.close();
    this.log({ level: 'info', scope: 'foresight', message: 'what was foreseen', fields: { ...predictor.waste } });
    tunnels.close();
    upstream.close();
    interceptor?.close();
    await server.close();
  }

  private async prepareFor(origin: string): Promise<void> {
    const { upstream, interceptor, tunnels } = this.parts;
    if (!origin.startsWith('https:')) {
      await upstream.prepare(origin);
      return;
    }
    const destination = hostAndPortOf(origin);
    // who may take the tunnel has made a connection of his own by then
    if ((await interceptor?.mayTake(destination)) !== true) tunnels.prepare(destination);
  }
}

function interceptorFor({ authority, excluded }: NonNullable<ProxyServiceOptions['trust']>, ownHost: string, exchangeHost: ExchangeHost, upstream: Upstream, sockets: SocketOpener, log: LogSink): Interceptor {
  const leaves = new LeafCertificates(authority);
  return new Interceptor(
    {
      ownHost,
      secureContextFor: (host) => leaves.secureContextFor(host),
      prepare: (origin) => upstream.prepare(origin),
      requested: (browser, destination, path) => exchange(browser, { ...destination, path }, exchangeHost),
      upgraded: (request, browser, head, { host, port }) => void passUpgrade(request, browser, head, sockets.openTls(host, port, ['http/1.1'])),
      log,
    },
    excluded,
  );
}
