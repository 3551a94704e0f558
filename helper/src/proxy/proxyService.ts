import { LinkEstimator } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme, type SchemeName } from '../../../shared/src/fetching/schemes.ts';
import { HostResolver } from '../names/resolveHost.ts';
import { systemSources } from '../names/systemSources.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import { sweepSpools } from '../spool/spoolFile.ts';
import { UpstreamConnection } from '../upstream/connection.ts';
import { openTcp } from '../upstream/openSocket.ts';
import { Upstream } from '../upstream/upstream.ts';
import { makeCredentials, type Credentials } from './credentials.ts';
import type { ObjectRanks } from './objectRanks.ts';
import { ProxyServer } from './proxyServer.ts';

export interface ProxyServiceOptions {
  readonly scheme: SchemeName;
  readonly ranks: ObjectRanks;
  /** Asks the extension to have the browser go to this host itself. @returns whether it will */
  readonly leave: (host: string) => Promise<boolean>;
  /** Private to the user. */
  readonly spoolDirectory: string;
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

  private constructor(port: number, credentials: Credentials, server: ProxyServer, upstream: Upstream) {
    this.port = port;
    this.credentials = credentials;
    this.server = server;
    this.upstream = upstream;
  }

  static async start({ scheme, ranks, leave, spoolDirectory, log }: ProxyServiceOptions): Promise<ProxyService> {
    await sweepSpools(spoolDirectory);
    const now = (): number => performance.now();
    const link = new LinkEstimator();
    const resolver = new HostResolver(systemSources(now));
    const open = async (host: string, port: number, allowHalfOpen: boolean): ReturnType<typeof openTcp> => {
      const addresses = await resolver.resolve(host);
      try {
        return await openTcp({ host, port, addresses, rttMs: link.estimate().rttMs, allowHalfOpen });
      } catch (error) {
        resolver.forget(host);
        throw error;
      }
    };
    const upstream = new Upstream({
      scheduler: new FetchScheduler(fetchScheme(scheme, () => link.estimate())),
      open: async (origin, id, onClosed) => {
        const { hostname, port } = new URL(origin);
        return new UpstreamConnection(id, origin, await open(hostname, Number(port || 80), false), PIPELINING, onClosed);
      },
      measured: (sample) => link.add(sample),
      log,
      now,
    });
    const credentials = makeCredentials();
    const server = new ProxyServer(credentials, {
      fetch: (request, sink) => upstream.fetch(request, sink),
      describe: (url, headers) => ranks.describe(url, headers),
      answered: (url, request, response) => ranks.answered(url, request, response),
      leave,
      openTunnel: ({ host, port }) => open(host, port, true),
      spool: { budget: new SpoolBudget(ALL_SPOOLS_BYTES), directory: spoolDirectory, maxBytes: SPOOL_BYTES },
      log,
    });
    return new ProxyService(await server.listen(), credentials, server, upstream);
  }

  async close(): Promise<void> {
    this.upstream.close();
    await this.server.close();
  }
}
