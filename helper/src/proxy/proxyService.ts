import { LinkEstimator } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme, type SchemeName } from '../../../shared/src/fetching/schemes.ts';
import { HostResolver } from '../names/resolveHost.ts';
import { systemSources } from '../names/systemSources.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import { sweepSpools } from '../spool/spoolFile.ts';
import { Interceptor } from '../interception/interceptor.ts';
import { passUpgrade } from '../interception/passUpgrade.ts';
import type { Authority } from '../trust/authority.ts';
import type { ExcludedHosts } from '../trust/excludedHosts.ts';
import { LeafCertificates } from '../trust/leafCertificates.ts';
import { UpstreamConnection } from '../upstream/connection.ts';
import { SocketOpener } from '../upstream/socketOpener.ts';
import { TlsStarter } from '../upstream/startTls.ts';
import { Upstream } from '../upstream/upstream.ts';
import { makeCredentials, type Credentials } from './credentials.ts';
import { exchange, type ExchangeHost } from './exchange.ts';
import type { ObjectRanks } from './objectRanks.ts';
import { ProxyServer } from './proxyServer.ts';

export interface ProxyServiceOptions {
  readonly scheme: SchemeName;
  readonly ranks: ObjectRanks;
  /** Asks the extension to have the browser go to this host itself. @returns whether it will */
  readonly leave: (host: string) => Promise<boolean>;
  /** Private to the user. */
  readonly spoolDirectory: string;
  /** What the user has had trusted, and what stays untouched all the same; null without that. */
  readonly trust: { readonly authority: Authority; readonly excluded: Pick<ExcludedHosts, 'reasonFor'> } | null;
  /** Towards servers. */
  readonly tls?: TlsStarter;
  readonly log: LogSink;
}

const MEBIBYTE = 1024 * 1024;
/** Of one answer, and of all together. */
const SPOOL_BYTES = { memory: 1 * MEBIBYTE, disk: 256 * MEBIBYTE };
const ALL_SPOOLS_BYTES = { memory: 32 * MEBIBYTE, disk: 1024 * MEBIBYTE };
/** Only where an origin has shown that it can take more; none has a way to show it yet. */
const PIPELINING = 1;

/** The proxy with all that it needs of this machine. */
export class ProxyService {
  readonly port: number;
  readonly credentials: Credentials;
  private readonly server: ProxyServer;
  private readonly upstream: Upstream;
  private readonly interceptor: Interceptor | null;

  private constructor(port: number, credentials: Credentials, server: ProxyServer, upstream: Upstream, interceptor: Interceptor | null) {
    this.port = port;
    this.credentials = credentials;
    this.server = server;
    this.upstream = upstream;
    this.interceptor = interceptor;
  }

  static async start({ scheme, ranks, leave, spoolDirectory, trust, tls = new TlsStarter(), log }: ProxyServiceOptions): Promise<ProxyService> {
    await sweepSpools(spoolDirectory);
    const now = (): number => performance.now();
    const link = new LinkEstimator();
    const sockets = new SocketOpener(new HostResolver(systemSources(now)), () => link.estimate().rttMs, tls);
    const upstream = new Upstream({
      scheduler: new FetchScheduler(fetchScheme(scheme, () => link.estimate())),
      open: async (origin, id, onClosed) => new UpstreamConnection(id, origin, await sockets.openFor(origin), PIPELINING, onClosed),
      measured: (sample) => link.add(sample),
      log,
      now,
    });
    const exchangeHost: ExchangeHost = {
      fetch: (request, sink) => upstream.fetch(request, sink),
      describe: (url, headers) => ranks.describe(url, headers),
      answered: (url, request, response) => ranks.answered(url, request, response),
      leave,
      spool: { budget: new SpoolBudget(ALL_SPOOLS_BYTES), directory: spoolDirectory, maxBytes: SPOOL_BYTES },
    };
    const interceptor = trust === null ? null : interceptorFor(trust, exchangeHost, upstream, sockets, log);
    const credentials = makeCredentials();
    const server = new ProxyServer(credentials, { ...exchangeHost, openTunnel: ({ host, port }) => sockets.open(host, port, true), interceptor, log });
    return new ProxyService(await server.listen(), credentials, server, upstream, interceptor);
  }

  get canIntercept(): boolean {
    return this.interceptor !== null;
  }

  /** The browser has shown that it trusts our authority. */
  intercept(): void {
    if (this.interceptor !== null) this.interceptor.isOn = true;
  }

  async close(): Promise<void> {
    this.upstream.close();
    this.interceptor?.close();
    await this.server.close();
  }
}

function interceptorFor({ authority, excluded }: NonNullable<ProxyServiceOptions['trust']>, exchangeHost: ExchangeHost, upstream: Upstream, sockets: SocketOpener, log: LogSink): Interceptor {
  const leaves = new LeafCertificates(authority);
  return new Interceptor(
    {
      secureContextFor: (host) => leaves.secureContextFor(host),
      prepare: (origin) => upstream.prepare(origin),
      requested: (browser, destination, path) => exchange(browser, { ...destination, path }, exchangeHost),
      upgraded: (request, browser, head, { host, port }) => void passUpgrade(request, browser, head, sockets.openTls(host, port, ['http/1.1'])),
      log,
    },
    excluded,
  );
}
