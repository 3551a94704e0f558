import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { solidPng } from '../gate/png.ts';
import type { Answer, Exchange, Site } from './exchange.ts';
import type { Certificates } from './certificates.ts';
import { ADDRESSES, HOST_KINDS, type HostKind } from './place.ts';

/** Pictures are this large unless their query says otherwise (`w`, `h`). */
const PICTURE_PIXELS = 20;
/** Not compared: they belong to one connection, or tell whether a picture was laid out when it was asked for, or whether a visitor has clicked. */
const UNCOMPARED = new Set(['host', 'connection', 'priority', 'sec-fetch-user', 'keep-alive', 'upgrade', 'sec-websocket-key', 'te']);

/** Requests of one case in one browser. */
export class CaseLog {
  readonly exchanges: Exchange[] = [];
  private readonly site: Site;
  private readonly label: string;
  private held: string | null = null;
  private waiting: (() => void)[] = [];
  private listeners: (() => void)[] = [];

  constructor(site: Site, label: string) {
    this.site = site;
    this.label = label;
  }

  hold(path: string): void {
    this.held = path;
  }

  letGo(): void {
    this.held = null;
    for (const go of this.waiting.splice(0)) go();
  }

  async asked(path: string): Promise<void> {
    while (!this.exchanges.some((exchange) => exchange.path === path)) await new Promise<void>((resolve) => this.listeners.push(resolve));
  }

  async answer(exchange: Exchange): Promise<Answer | undefined> {
    this.exchanges.push(exchange);
    for (const heard of this.listeners.splice(0)) heard();
    if (exchange.path === this.held) await new Promise<void>((resolve) => this.waiting.push(resolve));
    const delayMs = Number(exchange.query.get('delay') ?? 0);
    if (delayMs > 0) await sleep(delayMs);
    const [path = '/'] = exchange.path.split('?');
    const answer = this.site[exchange.kind === 'own' ? path : exchange.kind + path];
    if (answer !== undefined) return typeof answer === 'function' ? answer(exchange) : answer;
    if (!path.endsWith('.png')) return { status: 404 };
    const pixels = (name: string): number => Number(exchange.query.get(name) ?? PICTURE_PIXELS);
    return {
      headers: { 'content-type': 'image/png', 'cache-control': 'no-store', ...(exchange.query.has('cors') && { 'access-control-allow-origin': '*' }) },
      body: solidPng(pixels('w'), pixels('h'), path),
    };
  }

  /** Sorted lines, to be compared; those of one label like those of another. */
  lines(): string[] {
    return this.exchanges.map((exchange) => {
      const headers = Object.entries(exchange.headers).filter(([name]) => !name.startsWith(':') && !UNCOMPARED.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
      const crumbs = exchange.cookieFields > 1 ? ` ${exchange.cookieFields} cookie fields` : '';
      const body = exchange.body.length > 0 ? ` ${exchange.body.length} bytes` : '';
      return `${exchange.method} ${exchange.scheme} ${exchange.kind}${exchange.path}${body}${crumbs} ${JSON.stringify(Object.fromEntries(headers))}`.replaceAll(`//${this.label}.`, '//');
    }).sort();
  }
}

/** All servers of the bed; each case has hosts of its own, so its requests are its own. */
export class Servers {
  private readonly cases = new Map<string, CaseLog>();
  private readonly servers: { close(): void; closeAllConnections?(): void }[] = [];

  static async start({ server, authority }: Certificates): Promise<Servers> {
    const self = new Servers();
    for (const kind of HOST_KINDS) {
      const listener = (request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): void => void self.serve(request, response);
      const secured = kind === 'two'
        ? createSecureServer({ ...server, allowHTTP1: true }, listener)
        : createTlsServer({ ...server, ...(kind === 'cert' && { requestCert: true, rejectUnauthorized: false, ca: authority }) }, listener);
      const plain = createServer(listener);
      for (const http of [plain, secured as unknown as Server]) http.on('upgrade', (request: IncomingMessage, socket: Socket) => self.upgrade(request, socket));
      // a browser may leave in the middle
      secured.on('tlsClientError', () => undefined);
      plain.listen(80, ADDRESSES[kind]);
      secured.listen(443, ADDRESSES[kind]);
      await Promise.all([once(plain, 'listening'), once(secured, 'listening')]);
      self.servers.push(plain, secured);
    }
    return self;
  }

  /** The log of a case from now on. @param label the first label of its hosts */
  begin(label: string, site: Site): CaseLog {
    const log = new CaseLog(site, label);
    this.cases.set(label, log);
    return log;
  }

  close(): void {
    for (const server of this.servers) {
      server.closeAllConnections?.();
      server.close();
    }
  }

  private async serve(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const found = this.find(request);
    // of the browser itself
    if (found === undefined || found.path === '/favicon.ico') {
      response.statusCode = 404;
      response.end();
      return;
    }
    const { log, label, ...place } = found;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const raw = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'cookie').length;
    const answer = await log.answer({
      ...place, method: request.method ?? '', headers: request.headers, cookieFields: request.httpVersion === '1.1' ? raw : 1, body: Buffer.concat(chunks),
      earlier: log.exchanges.filter(({ path, kind }) => path === place.path && kind === place.kind).length, socket: request.socket, response,
    });
    // the case has answered by itself
    if (answer === undefined || response.headersSent || response.writableEnded) return;
    response.statusCode = answer.status ?? 200;
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, Array.isArray(value) ? value.map((each: string) => fill(each, label)) : fill(value as string, label));
    (response as ServerResponse).end(typeof answer.body === 'string' ? fill(answer.body, label) : answer.body);
  }

  private upgrade(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => undefined);
    const found = this.find(request);
    if (found === undefined) return void socket.destroy();
    const { log, label: _, ...place } = found;
    void log.answer({ ...place, method: 'UPGRADE', headers: request.headers, cookieFields: 1, body: Buffer.alloc(0), earlier: 0, socket, response: null as unknown as ServerResponse });
  }

  private find(request: IncomingMessage | Http2ServerRequest): (Pick<Exchange, 'kind' | 'scheme' | 'path' | 'query' | 'socket'> & { log: CaseLog; label: string }) | undefined {
    const authority = (request.headers[':authority'] as string | undefined) ?? request.headers.host ?? '';
    const scheme = request.socket instanceof TLSSocket ? 'https' : 'http';
    const { hostname, pathname, search, searchParams } = new URL(request.url ?? '/', `${scheme}://${authority || 'none'}`);
    const [label = '', kind = ''] = hostname.split('.');
    const log = this.cases.get(label);
    return log && { log, label, kind: kind as HostKind, scheme, path: pathname + search, query: searchParams, socket: request.socket };
  }
}

/** `{own}` in a text becomes `https://CASE.own.test`, and `{http:own}` the same in clear. */
function fill(text: string, label: string): string {
  return text.replaceAll(/\{(http:)?(own|other|two|tracker|cert|rebind|private|loop)\}/g, (_, plain: string | undefined, kind: string) => `${plain ? 'http' : 'https'}://${label}.${kind}.test`);
}
