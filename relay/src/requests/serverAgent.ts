import { isIPv6 } from 'node:net';
import type { ClientHttp2Session } from 'node:http2';
import { Agent, Client, Pool } from 'undici';
// @ts-expect-error: no types of this part
import symbols from 'undici/lib/core/symbols.js';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import { resetAbandoned } from '../../../shared/src/node/upstream/resetAbandoned.ts';
import { trailersBehindData } from '../../../shared/src/node/upstream/trailersBehindData.ts';
import type { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ServerSockets, type OpenTcp } from './serverSockets.ts';

const { kHTTP2Session: HTTP2_SESSION } = symbols as Readonly<Record<'kHTTP2Session', symbol>>;

/** As browsers have to a server of HTTP/1.1. */
const CONNECTIONS_PER_SERVER = 6;
const KEEP_ALIVE_MS = 60_000;
const KEEP_ALIVE_LIMIT_MS = 600_000;
/** A server that says nothing for so long will not; Firefox's limit (network.http.response.timeout). */
const HEADERS_LIMIT_MS = 300_000;
const MAX_HEADER_BYTES = 256 * 1024;
/** A stream of HTTP/2 may have so much on the way, which is what is kept of it; its connection many of these. undici takes the first here, its types do not know it. */
const H2_WINDOWS = { initialWindowSize: 64 * 1024, connectionWindowSize: 16 * 1024 * 1024 };

/**
 * The connections to servers that one client's requests go on, and nobody else's: kept, in HTTP/2 where the server speaks it, and each verified as a browser does. No answer of a server
 * sends a request anywhere else.
 */
export class ServerAgent extends Agent {
  private readonly sockets: ServerSockets;

  constructor(openTcp: OpenTcp, tls: TlsStarter) {
    const sockets = new ServerSockets(openTcp, tls);
    super({
      factory: (origin, options) => new Pool(origin, Object.assign({ factory: clientOf }, options)),
      connections: CONNECTIONS_PER_SERVER,
      allowH2: true,
      h2Options: H2_WINDOWS,
      pipelining: 1,
      headersTimeout: HEADERS_LIMIT_MS,
      // an answer may have no end
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_LIMIT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: ({ protocol, hostname, port }, callback) => {
        const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
        sockets.open(new URL(`${protocol}//${host}:${port}`).origin).then(
          (socket) => callback(null, socket),
          (error: unknown) => callback(error as FirstscreenError, null),
        );
      },
    });
    this.sockets = sockets;
  }

  /** The next request of this origin finds a connection, unless there is one already. */
  prepare(origin: string): void {
    this.sockets.prepare(origin);
  }

  /** What is on the way is cut off. */
  async end(): Promise<void> {
    this.sockets.close();
    await this.destroy();
  }
}

function clientOf(origin: URL, options: Client.Options): Client {
  const client = new Client(origin, options);
  client.on('connect', () => {
    const session = (client as unknown as Record<symbol, ClientHttp2Session | null | undefined>)[HTTP2_SESSION];
    if (!session) return;
    resetAbandoned(session);
    trailersBehindData(session);
  });
  return client;
}
