import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerRequest, Http2ServerResponse, createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import { isIP } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { codeOf } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { http1Side, http2Side, type BrowserSide } from '../proxy/browserSide.ts';
import { KeptConnections } from '../proxy/keptConnections.ts';
import { authenticatesConnection } from '../http/connectionAuthentication.ts';
import { MAX_HEADER_BYTES } from '../../../shared/src/node/http/rawHeaders.ts';
import { bareHost, parseAuthority, type Destination } from '../../../shared/src/names/authority.ts';
import { secureOriginOf, type RequestTarget } from '../http/requestTarget.ts';
import { HostSet } from '../names/hostSet.ts';
import { KeptSessions } from './keptSessions.ts';

export interface InterceptorHost {
  /** The helper's (`Credentials`). */
  readonly ownHost: string;
  /** Whether a host is never intercepted. */
  isExcluded(host: string): boolean;
  /** What shows us to be this host. @throws FirstscreenError E_CERTIFICATE_NAME, E_AUTHORITY */
  secureContextFor(host: string): Promise<SecureContext>;
  /** Settles when there is a verified connection to an origin. @throws FirstscreenError E_NAME, E_CONNECT, E_UPSTREAM_TLS, E_CLIENT_CERTIFICATE */
  prepare(origin: string): Promise<void>;
  /** A request has come for a destination. */
  requested(browser: BrowserSide, target: RequestTarget): void;
  /** A request to go on with another protocol, as WebSocket, has come; what follows it is the caller's. */
  upgraded(request: IncomingMessage, browser: Duplex, head: Buffer, destination: Destination): void;
  readonly log: LogSink;
}

/** Longer than browsers keep an idle connection. */
const KEEP_ALIVE_MS = 600_000;
/** Browsers keep some 180 cookies of a site, and as many more for each site that it is embedded in: over HTTP/2 each is a field. Node takes 128, and resets a request that has more. */
const MAX_HEADER_FIELDS = 1_000;
/** What a browser may have under way at once; the order is ours then. */
const MAX_STREAMS = 256;
const UPLOAD_WINDOW_BYTES = 1024 * 1024;
/** Node ends a session whose client gives up more than some 33 requests a second, against attacks; a map that is moved gives up as many tiles, and this client is the user's browser. */
const NO_LIMIT = 0x7fff_ffff;
const [HTTP_PORT, HTTPS_PORT] = [80, 443];
/** More hosts with a pinned certificate than any browser's session meets; some 100 kB. */
const MAX_PASSED_THROUGH = 1000;

/**
 * Takes the place of servers towards the browser, on their connections through the proxy, with certificates that the user has told the browser to trust (docs/adr/0016). A server that does not
 * verify, or a browser that refuses, has a tunnel instead: what is wrong is between the two of them. So has a server that asks for a certificate of the user.
 */
export class Interceptor {
  private readonly server: Http2SecureServer;
  private readonly host: InterceptorHost;
  /** Hosts whose client refused our certificate, as one that knows its server's own (pinning), or that want a tunnel: for as long as this process lives. */
  private readonly passedThrough = new LRUCache<string, true>({ max: MAX_PASSED_THROUGH });
  private readonly kept = new KeptConnections();
  private readonly sessions = new KeptSessions();
  /** Connections that speak another protocol than HTTP by now, and whose server they are for. */
  private readonly upgraded = new Map<Duplex, string>();
  private tunnelOnlyHosts = new HostSet([]);
  /** Whether the browser is known to trust our authority; until then only its own name is taken. */
  isOn = false;

  constructor(host: InterceptorHost) {
    this.host = host;
    this.server = createSecureServer({
      allowHTTP1: true,
      strictSingleValueFields: false,
      maxHeaderListPairs: MAX_HEADER_FIELDS,
      maxSendHeaderBlockLength: MAX_HEADER_BYTES,
      streamResetBurst: NO_LIMIT,
      streamResetRate: NO_LIMIT,
      settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_BYTES, initialWindowSize: UPLOAD_WINDOW_BYTES },
      SNICallback: (name, done) => {
        if (name !== host.ownHost && (host.isExcluded(name) || this.isTunnelOnly(name))) done(new Error('a host that is left alone'));
        else host.secureContextFor(name).then((context) => done(null, context), (error: unknown) => done(error as Error));
      },
      // of HTTP/1.1, of which the types do not know
      ...({ maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS } as object),
    });
    this.server.on('request', (request, response) => this.onRequest(request, response));
    this.server.on('checkContinue', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      response.writeContinue();
      this.onRequest(request, response);
    });
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.kept.taken(request.socket);
      const destination = parseAuthority(request.headers.host ?? '', HTTPS_PORT);
      if (destination?.host.toLowerCase() !== serverNameOf(request)) {
        socket.destroy();
        return;
      }
      this.upgraded.set(socket, serverNameOf(request));
      socket.once('close', () => this.upgraded.delete(socket));
      host.upgraded(request, socket, head, destination);
    });
    this.server.on('secureConnection', (socket: TLSSocket) => {
      // said while the two were shaking hands
      if (this.isTunnelOnly(String(socket.servername))) socket.destroy();
      else if (socket.alpnProtocol !== 'h2') this.kept.opened(socket);
      // a session of HTTP/2 stays half open (Node 24), and one that is told to close waits for what it can not send any more
      else socket.once('end', () => socket.destroy());
    });
    this.server.on('session', (session) => {
      session.on('error', () => undefined);
      this.sessions.opened(session, (session.socket as TLSSocket).servername);
    });
    this.server.on('tlsClientError', (error: Error & { readonly code?: string }, { servername }) => this.refused(error.code, servername));
  }

  /**
   * Whether a connection should be taken: there is a verified one to its server by then.
   *
   * @returns false for what is to be a tunnel
   */
  async mayTake({ host, port }: Destination): Promise<boolean> {
    if (host === this.host.ownHost) return true;
    // as for a WebSocket in clear: what is no TLS may wait for more of a hello until the time limit
    if (port === HTTP_PORT || !this.wants(host)) return false;
    // made while the server is connected to: no page waits for a signature
    const certificate = this.host.secureContextFor(host);
    certificate.catch(() => undefined);
    try {
      await this.host.prepare(secureOriginOf({ host, port }));
      // none can be made any more when our authority has expired
      await certificate;
      // it may be wanted no more by then
      return this.wants(host);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'E_CLIENT_CERTIFICATE') this.leave(host);
      this.host.log({ level: 'info', scope: 'interception', message: 'left to a tunnel', fields: { code } });
      return false;
    }
  }

  /** Whether connections to a server are to be taken, if it verifies. */
  wants(host: string): boolean {
    // neither an address nor the dot of the root is in a TLS hello (RFC 6066, section 3), by which the certificate is chosen
    return this.isOn && !host.endsWith('.') && isIP(bareHost(host)) === 0 && !this.isTunnelOnly(host) && !this.host.isExcluded(host) && this.passedThrough.get(host) === undefined;
  }

  /** Whether the user keeps a host closed. */
  isTunnelOnly(host: string): boolean {
    return this.tunnelOnlyHosts.has(host);
  }

  /**
   * Hosts that nobody looks into from now on, with everything under them, in the place of those said before. What is
   * under way on a connection of one ends first, but for what has no end, as a WebSocket; then the connection ends.
   */
  tunnelOnly(hosts: readonly string[]): void {
    this.tunnelOnlyHosts = new HostSet(hosts);
    const isMeant = (host: unknown): boolean => this.isTunnelOnly(String(host));
    this.sessions.leave(isMeant);
    this.kept.end((socket) => 'servername' in socket && isMeant(socket.servername));
    for (const [socket, host] of this.upgraded) if (isMeant(host)) socket.destroy();
  }

  /**
   * Speaks for the server from now on.
   *
   * @param head what the browser has sent after CONNECT already
   */
  take(browser: Duplex, head: Buffer): void {
    if (head.length > 0) browser.unshift(head);
    // Node's server of HTTP leaves connections half open: one that the browser gives up before its hello would stay for
    // two minutes, and so would a helper that waits for its end
    browser.allowHalfOpen = false;
    this.server.emit('connection', browser);
  }

  /** Ends each connection when what is under way on it has ended. */
  drain(): void {
    this.kept.drain();
    this.sessions.drain();
  }

  close(): void {
    this.server.close();
  }

  /**
   * A host has tunnels from now on. Its sessions of HTTP/2 end when what is under way has ended (RFC 9113, section 6.8),
   * all of them: the browser's next request may come on any.
   */
  private leave(host: string): void {
    this.passedThrough.set(host, true);
    this.sessions.leave((other) => other === host);
  }

  /** The same where what comes on its sessions meanwhile does no harm. */
  private leaveQuietly(host: string): void {
    this.passedThrough.set(host, true);
    this.sessions.leaveQuietly((other) => other === host);
  }

  /** A browser that does not know our authority says so by an alert. */
  private refused(code: string | undefined, host: unknown): void {
    if (code === undefined || !REFUSALS.test(code) || typeof host !== 'string') return;
    this.passedThrough.set(host, true);
    this.host.log({ level: 'warn', scope: 'interception', message: 'a browser refused our certificate; its host is left alone from now on', fields: { code: 'E_CERTIFICATE_REFUSED' } });
  }

  private onRequest(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void {
    const isHttp2 = request instanceof Http2ServerRequest && response instanceof Http2ServerResponse;
    if (!isHttp2) this.kept.answering(request.socket, response as ServerResponse);
    const destination = parseAuthority((isHttp2 ? request.authority : request.headers.host) ?? '', HTTPS_PORT);
    const leave = destination && ((): void => this.leave(destination.host.toLowerCase()));
    const leaveQuietly = destination && ((): void => this.leaveQuietly(destination.host.toLowerCase()));
    const browser = isHttp2 ? http2Side(request, response, leave, leaveQuietly) : http1Side(request as IncomingMessage, response as ServerResponse, leave);
    // the certificate was for one host, of which it was judged whether it may be taken
    const isMisdirected = destination === null || destination.host.toLowerCase() !== serverNameOf(request);
    if (isMisdirected || destination.host === this.host.ownHost) {
      browser.head(isMisdirected ? MISDIRECTED : NO_CONTENT, '', ['cache-control', 'no-store']);
      browser.sink.end();
      return;
    }
    // many of the browser's own may share a session, and whoever is known by his connection needs one of his own
    if (isHttp2 && authenticatesConnection(browser.fields)) {
      browser.stepAside?.();
      // what is refused so is asked for again (RFC 9113, section 8.7)
      response.stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return;
    }
    this.host.requested(browser, { ...destination, origin: secureOriginOf(destination), path: request.url ?? '/' });
  }
}

/** The name that the browser has asked for in its TLS hello, in lower case. */
function serverNameOf({ socket }: IncomingMessage | Http2ServerRequest): string {
  return String((socket as TLSSocket).servername).toLowerCase();
}

const NO_CONTENT = 204;
/** Alerts of RFC 8446, section 6.2, as OpenSSL names them. */
const REFUSALS = /^ERR_SSL_(TLSV1|SSLV3)_ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNSUPPORTED_CERTIFICATE)$/;
/** RFC 9110, section 15.5.20. */
const MISDIRECTED = 421;
