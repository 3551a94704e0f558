import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, coded } from '../../../shared/src/errors.ts';
import { MAX_HEADER_BYTES } from '../../../shared/src/node/http/rawHeaders.ts';
import { listening } from '../../../shared/src/node/net/listening.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { isAuthorized, type Credentials } from './credentials.ts';
import type { Interceptor } from '../interception/interceptor.ts';
import { http1Side } from './browserSide.ts';
import { exchange, type ExchangeHost } from './exchange.ts';
import { KeptConnections } from './keptConnections.ts';
import { Strangers } from './strangers.ts';
import type { Destination } from '../../../shared/src/names/authority.ts';
import { parseAbsoluteForm, parseAuthorityForm, secureOriginOf } from '../http/requestTarget.ts';
import { hasEnded, join, openInTurn } from '../tunnels/tunnel.ts';
import type { TunnelTurns } from '../tunnels/tunnelTurns.ts';

export interface ProxyHost extends ExchangeHost {
  /** The browser asks this origin; by CONNECT, which does not tell a scheme, that of https:. */
  asked(origin: string): void;
  /** Opens a connection for a tunnel. @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
  openTunnel(destination: Destination): Promise<Duplex>;
  /** When a CONNECT is answered that becomes a tunnel. */
  readonly turns: TunnelTurns;
  /** Who speaks for servers of https: themselves; null for nobody. */
  readonly interceptor: Pick<Interceptor, 'mayTake' | 'take' | 'drain'> | null;
}

const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';
const REALM = 'Basic realm="Firstscreen"';
/** Longer than browsers keep an idle connection to a proxy, so that they close it and not we in the moment of a request. */
const KEEP_ALIVE_MS = 600_000;
const LOOPBACK = '127.0.0.1';

/** What is under way moves within so long, but on links that nobody would measure. */
const CLOSED_SILENT_MS = 500;
/** For how long exchanges and tunnels go on after the last new one. */
export interface DrainLimits {
  readonly silentMs: number;
  readonly longestMs: number;
}

/**
 * Servers and their balancers end connections that are silent for a minute (nginx, AWS), so pages live with that. Only
 * endless streams, downloads aside, last ten minutes.
 */
const DRAIN_LIMITS: DrainLimits = { silentMs: 60_000, longestMs: 600_000 };

/**
 * An HTTP proxy on loopback, for this user's browser alone: http: in absolute form, https: and WebSocket through CONNECT (RFC 9110, section 9.3.6; RFC 9112,
 * section 3.2). It adds nothing to what passes, not even Via: some servers send less to those who come by a proxy (docs/adr/0014).
 */
export class ProxyServer {
  private readonly server: Server;
  private readonly credentials: Credentials;
  private readonly host: ProxyHost;
  private readonly sockets = new Set<Socket>();
  private readonly kept = new KeptConnections();
  private readonly strangers = new Strangers();

  constructor(credentials: Credentials, host: ProxyHost) {
    this.credentials = credentials;
    this.host = host;
    this.server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS, noDelay: true });
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      this.kept.opened(socket);
      this.strangers.came(socket);
    });
    this.server.on('request', (request, response) => this.onRequest(request, response));
    // browsers do not ask first; whoever does gets on
    this.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      response.writeContinue();
      this.onRequest(request, response);
    });
    this.server.on('connect', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.kept.taken(request.socket);
      void this.onConnect(request, socket, head);
    });
    this.server.on('clientError', (_error, socket: Duplex) => {
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
      else socket.destroy();
    });
  }

  /** @returns the port */
  async listen(): Promise<number> {
    const lost = (error: Error): void => this.host.log({ level: 'warn', scope: 'proxy', message: 'a connection could not be taken', fields: { reason: reasonOf(error) } });
    return (await listening(this.server, { port: 0, host: LOOPBACK }, lost)).port;
  }

  /** Closes the browser's connections on which nothing passes for a second, tunnels with those to their servers. */
  async closeSilent(): Promise<void> {
    const stop = endSilent(this.sockets, CLOSED_SILENT_MS);
    // two looks
    await sleep(2.5 * CLOSED_SILENT_MS);
    stop();
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Takes nothing new, and settles when what is under way has ended, or takes too long. */
  async drain({ silentMs, longestMs } = DRAIN_LIMITS): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.kept.drain();
    this.host.interceptor?.drain();
    // a browser that ends its side is gone, or wants nothing more; a server may not say so for long
    for (const socket of this.sockets) {
      if (socket.readableEnded) socket.destroy();
      else socket.once('end', () => socket.destroy());
    }
    const stop = endSilent(this.sockets, silentMs);
    const limit = new AbortController();
    await Promise.race([closed, sleep(longestMs, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
    stop();
  }

  private onRequest(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => undefined);
    this.kept.answering(request.socket, response);
    if (!isAuthorized(request.headers['proxy-authorization'], this.credentials)) {
      response.writeHead(407, { 'proxy-authenticate': REALM, 'content-length': 0 }).end();
      return;
    }
    this.strangers.known(request.socket);
    try {
      const target = parseAbsoluteForm(request.url ?? '');
      if (target.host === this.credentials.ownHost) response.writeHead(204, { 'cache-control': 'no-store' }).end();
      else {
        this.host.asked(target.origin);
        exchange(http1Side(request, response), target, this.host);
      }
    } catch (error) {
      this.refuse(error, (text) => response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(text));
    }
  }

  private async onConnect(request: IncomingMessage, browser: Duplex, head: Buffer): Promise<void> {
    browser.on('error', () => undefined);
    const end = (status: string, field = ''): void => {
      browser.end(`HTTP/1.1 ${status}\r\n${field}Content-Length: 0\r\n\r\n`);
      // else nobody would see that the browser ends it, too
      browser.resume();
    };
    if (!isAuthorized(request.headers['proxy-authorization'], this.credentials)) {
      end('407 Proxy Authentication Required', `Proxy-Authenticate: ${REALM}\r\n`);
      return;
    }
    this.strangers.known(request.socket);
    let destination: Destination | null = null;
    try {
      destination = parseAuthorityForm(request.url ?? '');
      this.host.asked(secureOriginOf(destination));
      await this.answerConnect(destination, browser, head);
    } catch (error) {
      // a browser that is told so shows an error; one whose connection is lost goes on to the next way of its list
      if (destination !== null && codeOf(error) === 'E_ADDRESS' && (await this.host.leave(destination.host))) request.socket.resetAndDestroy();
      else this.refuse(error, () => end(destination === null ? '400 Bad Request' : '502 Bad Gateway'));
    }
  }

  /** @throws FirstscreenError as `openTunnel` */
  private async answerConnect(destination: Destination, browser: Duplex, head: Buffer): Promise<void> {
    const { interceptor } = this.host;
    if (interceptor !== null && (await interceptor.mayTake(destination))) {
      if (hasEnded(browser)) {
        browser.destroy();
        return;
      }
      browser.write(ESTABLISHED);
      interceptor.take(browser, head);
      return;
    }
    if (browser.destroyed) return;
    const turn = this.host.turns.ask(destination);
    const server = await openInTurn(browser, turn, () => this.host.openTunnel(destination));
    if (server === null) return;
    browser.write(ESTABLISHED);
    join(browser, server, head);
    // through the relay it is known late; the browser goes there itself the next time
    server.once('error', (error) => codeOf(error) === 'E_ADDRESS' && void this.host.leave(destination.host));
    server.once('data', () => turn.serverSent());
    browser.on('data', () => turn.browserSent());
  }

  private refuse(error: unknown, answer: (text: string) => void): void {
    const { code, message, next } = coded(error, 'The proxy failed to answer.');
    this.host.log({ level: 'warn', scope: 'proxy', message: 'refused', fields: { code } });
    answer(`${code}: ${message}\n${next}\n`);
  }
}

/** Ends connections on which no byte passes from one look to the next. @returns what stops it */
function endSilent(sockets: ReadonlySet<Socket>, silentMs: number): () => void {
  const passed = new WeakMap<Socket, number>();
  const timer = setInterval(() => {
    for (const socket of sockets) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (passed.get(socket) === bytes) socket.destroy();
      passed.set(socket, bytes);
    }
  }, silentMs);
  return () => clearInterval(timer);
}
