import type { Socket } from 'node:net';
import type { ClientHttp2Session } from 'node:http2';
import { LRUCache } from 'lru-cache';
import { Agent, Client, Pool } from 'undici';
// @ts-expect-error: no types of this part
import symbols from 'undici/lib/core/symbols.js';
import { coded, type FirstscreenError } from '../../../shared/src/errors.ts';
import { ignoreContinue } from '../../../shared/src/node/upstream/ignoreContinue.ts';
import { resetAbandoned } from '../../../shared/src/node/upstream/resetAbandoned.ts';
import { trailersBehindData } from '../../../shared/src/node/upstream/trailersBehindData.ts';
import type { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';

/** TCP to an address of the public web that a name has. @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
export type OpenTcp = (host: string, port: number) => Promise<Socket>;

const { kHTTP2Session: HTTP2_SESSION } = symbols as Readonly<Record<'kHTTP2Session', symbol>>;

/** As browsers have to a server of HTTP/1.1. */
const CONNECTIONS_PER_SERVER = 6;
/** Servers of one client whose connections are kept. */
const MAX_FAILURES = 500;
/** What could not be connected to will not be a moment later: those that wait for it hear so at once. */
const FAILURE_MS = 5_000;
const KEEP_ALIVE_MS = 60_000;
const KEEP_ALIVE_LIMIT_MS = 600_000;
/** A server that says nothing for so long will not; Firefox's limit (network.http.response.timeout). */
const HEADERS_LIMIT_MS = 300_000;
/** TCP and TLS together; browsers wait no longer by much. */
const CONNECT_LIMIT_MS = 30_000;
const MAX_HEADER_BYTES = 256 * 1024;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/** A stream of HTTP/2 may have so much on the way, which is what is kept of it; its connection many of these. undici takes the first here, its types do not know it. */
const H2_WINDOWS = { initialWindowSize: 64 * 1024, connectionWindowSize: 16 * 1024 * 1024 };

/**
 * The connections to servers that one client's requests go on, and nobody else's: kept, in HTTP/2 where the server speaks it, and each verified as a browser does. No answer of a server
 * sends a request anywhere else.
 */
export function serverAgent(openTcp: OpenTcp, tls: TlsStarter): Agent {
  const failures = new LRUCache<string, FirstscreenError>({ max: MAX_FAILURES, ttl: FAILURE_MS });
  return new Agent({
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
      const server = `${protocol}//${hostname}:${port}`;
      const failure = failures.get(server);
      const opening = failure === undefined ? open(openTcp, tls, protocol, hostname, Number(port || DEFAULT_PORTS[protocol])) : Promise.reject(failure);
      opening.then(
        (socket) => callback(null, socket),
        (error: unknown) => {
          const known = coded(error, 'A connection to a server could not be opened.');
          failures.set(server, known);
          callback(known, null);
        },
      );
    },
  });
}

async function open(openTcp: OpenTcp, tls: TlsStarter, protocol: string, host: string, port: number): Promise<Socket> {
  const opened = await openTcp(host, port);
  const limit = setTimeout(() => opened.destroy(), CONNECT_LIMIT_MS);
  try {
    const socket = protocol === 'https:' ? await tls.start(opened, host) : opened;
    if (!('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) ignoreContinue(socket);
    return socket;
  } finally {
    clearTimeout(limit);
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
