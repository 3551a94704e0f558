import { isIPv6, type Socket } from 'node:net';
import type { ClientHttp2Session } from 'node:http2';
import { Agent, Client, Pool, type Dispatcher } from 'undici';
// @ts-expect-error: no types of this part
import symbols from 'undici/lib/core/symbols.js';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import { MAYBE_CLOSING_MS } from '../../../shared/src/fetching/fetchObject.ts';
import { MAX_HEADER_BYTES } from '../../../shared/src/node/http/rawHeaders.ts';
import '../../../shared/src/node/upstream/lenientHttp2.ts';
import { resetAbandoned } from '../../../shared/src/node/upstream/resetAbandoned.ts';
import { trailersBehindData } from '../../../shared/src/node/upstream/trailersBehindData.ts';
import type { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ServerSockets, type OpenTcp } from './serverSockets.ts';
import { ServerTurns } from './serverTurns.ts';

const { kHTTP2Session: HTTP2_SESSION, kSocket: SOCKET } = symbols as Readonly<Record<'kHTTP2Session' | 'kSocket', symbol>>;

/** As browsers have to a server of HTTP/1.1. */
const CONNECTIONS_PER_SERVER = 6;
const KEEP_ALIVE_MS = 60_000;
const KEEP_ALIVE_LIMIT_MS = 600_000;
/** A stream of HTTP/2 may have so much on the way, which is what is kept of it; its connection many of these. undici takes the first here, its types do not know it. */
const H2_WINDOWS = { initialWindowSize: 64 * 1024, connectionWindowSize: 16 * 1024 * 1024 };

/**
 * The connections to servers that one client's requests go on, and nobody else's: kept, in HTTP/2 where the server speaks it, and each verified as a browser does. No answer of a server
 * sends a request anywhere else.
 */
export class ServerAgent extends Agent {
  /** Of its requests. */
  readonly turns: ServerTurns;
  private readonly sockets: ServerSockets;

  constructor(openTcp: OpenTcp, tls: TlsStarter) {
    const sockets = new ServerSockets(openTcp, tls);
    const turns = new ServerTurns(CONNECTIONS_PER_SERVER);
    super({
      factory: (origin, options) => new Pool(origin, Object.assign({ factory: (of: URL, its: Client.Options) => new ServerClient(of, its, turns) }, options)),
      connections: CONNECTIONS_PER_SERVER,
      allowH2: true,
      h2Options: H2_WINDOWS,
      pipelining: 1,
      // how long an answer is waited for (a long poll) is the browser's to say, and it may have no end; that a server is gone TCP tells
      headersTimeout: 0,
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
    [this.sockets, this.turns] = [sockets, turns];
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

/** One connection to a server at a time. */
class ServerClient extends Client {
  /** Since when there is room on it for one more request. */
  private freeSinceMs = 0;

  constructor(origin: URL, options: Client.Options, turns: ServerTurns) {
    super(origin, options);
    this.on('drain', () => (this.freeSinceMs = performance.now()));
    this.on('connect', () => {
      const { session } = this;
      if (session === null) return;
      turns.takesAll(origin.origin);
      resetAbandoned(session);
      trailersBehindData(session);
    });
  }

  /** What may not be made twice does not go over HTTP/1.1 on a connection that has rested: undici opens one in its place. */
  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const isOnce = options.idempotent !== true || (options.body ?? null) !== null;
    if (isOnce && this.session === null && performance.now() - this.freeSinceMs >= MAYBE_CLOSING_MS) this.socket?.destroy();
    return super.dispatch(options, handler);
  }

  /** undici keeps both to itself; null where there is none. */
  private get socket(): Socket | null {
    return (this as unknown as Record<symbol, Socket | null | undefined>)[SOCKET] ?? null;
  }

  /** Of HTTP/2. */
  private get session(): ClientHttp2Session | null {
    return (this as unknown as Record<symbol, ClientHttp2Session | null | undefined>)[HTTP2_SESSION] ?? null;
  }
}
