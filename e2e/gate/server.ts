import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endServer, listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';
import { HELPERS_HOST } from '../browsers/ownNamesHelper.ts';
import { solidPng } from './png.ts';

/** The hosts of the tests' pages; all of them lead to the one server. */
export const OWN_HOST = 'own.test';
export const OTHER_HOST = 'other.test';

/** Longer than any test. */
const KEEP_ALIVE_MS = 600_000;
/** Images are this large unless their query says otherwise. */
const IMAGE_PIXELS = 20;

/** A page or another file of a site that is not an image. */
export interface SiteFile {
  readonly body: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Files by path (`/`, `/style.css`). Images need no entry: any `*.png` or `*.jpg` is there (and is a PNG). */
export type Site = Readonly<Record<string, SiteFile>>;

export interface LoggedRequest {
  /** Host without port, and path with query, without the visit's prefix: `own.test/a.png?w=2`. */
  readonly name: string;
  readonly headers: IncomingMessage['headers'];
  /** When its connection was made, by `performance.now()`. */
  readonly connectedMs: number;
}

/** One visit of one site: its requests, and what to do with them. */
export interface Visit {
  /** Absolute URL of a path of the visited site, at the site's own host or at another one. */
  url(path: string, host?: string): string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** Requests without an answer so far. */
  readonly openCount: number;
  /** Answers to requests that match wait until `letGo`. */
  hold(pattern: RegExp): void;
  letGo(): void;
  /** From now on each connection is cut without an answer. */
  goOffline(): void;
}

interface VisitState extends Visit {
  readonly requests: LoggedRequest[];
  openCount: number;
  readonly site: Site;
  held: RegExp | null;
  waiting: (() => void)[];
  offline: boolean;
}

/**
 * The web server of the tests. Each visit has a path prefix of its own, so that no cache of an earlier one can answer.
 *
 * Images are made from their URL: `/NAME.png?w=WIDTH&h=HEIGHT`, with `delay=MS`, `cors` (sends Access-Control-Allow-Origin), `nostore`, `status=N`,
 * `to=PATH` (redirect).
 */
export class TestServer {
  private readonly server: Server;
  private readonly visits: VisitState[] = [];
  private readonly connectedMs = new WeakMap<Socket, number>();

  private constructor(server: Server) {
    this.server = server;
  }

  static async start(): Promise<TestServer> {
    // a connection that goes is the browser's doing
    const server = await listenLocally(createServer({ keepAlive: true, keepAliveTimeout: KEEP_ALIVE_MS }));
    const self = new TestServer(server);
    server.on('connection', (socket: Socket) => self.connectedMs.set(socket, performance.now()));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => self.serve(request, response));
    return self;
  }

  get port(): number {
    return portOf(this.server);
  }

  get ownOrigin(): string {
    return `http://${OWN_HOST}:${this.port}`;
  }

  /** An address of it that the helper of tests alone finds. */
  get helpersUrl(): string {
    return `http://${HELPERS_HOST}:${this.port}/`;
  }

  visit(site: Site): Visit {
    const index = this.visits.length;
    const port = this.port;
    const visit: VisitState = {
      site, requests: [], openCount: 0, held: null, waiting: [], offline: false,
      url: (path, host = OWN_HOST) => `http://${host}:${port}/v${index}${path}`,
      hold(pattern) {
        visit.held = pattern;
      },
      letGo() {
        visit.held = null;
        for (const answer of visit.waiting.splice(0)) answer();
      },
      goOffline() {
        visit.offline = true;
      },
    };
    this.visits.push(visit);
    return visit;
  }

  async close(): Promise<void> {
    await endServer(this.server);
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? OWN_HOST}`);
    const [, index, path] = /^\/v(\d+)(\/.*)$/.exec(url.pathname) ?? [];
    const visit = this.visits[Number(index)];
    if (visit === undefined || path === undefined) {
      // the browser's own requests, as for /favicon.ico of the origin
      response.writeHead(404).end();
      return;
    }
    if (visit.offline) {
      request.socket.destroy();
      return;
    }
    const name = `${url.hostname}${path}${url.search}`;
    visit.requests.push({ name, headers: request.headers, connectedMs: this.connectedMs.get(request.socket) ?? NaN });
    visit.openCount += 1;
    response.on('close', () => (visit.openCount -= 1));
    const answer = (): void => {
      if (visit.offline) request.socket.destroy();
      else answerFile(visit, path, url, response);
    };
    if (visit.held?.test(name)) visit.waiting.push(answer);
    else setTimeout(answer, Number(url.searchParams.get('delay') ?? 0));
  }
}

function answerFile(visit: VisitState, path: string, url: URL, response: ServerResponse): void {
  const { searchParams: query } = url;
  const prefix = visit.url('', OWN_HOST).replace(/^http:\/\/[^/]+/, '');
  const to = query.get('to');
  if (query.has('cors')) response.setHeader('access-control-allow-origin', '*');
  if (to !== null) {
    response.writeHead(302, { location: to.startsWith('/') ? prefix + to : to }).end();
    return;
  }
  const file = visit.site[path];
  response.setHeader('cache-control', query.has('nostore') ? 'no-store' : query.has('maxage') ? 'max-age=600' : 'no-cache');
  if (file !== undefined) {
    response.setHeader('content-type', file.type ?? 'text/html; charset=utf-8');
    for (const [name, value] of Object.entries(file.headers ?? {})) response.setHeader(name, value);
    response.end(typeof file.body === 'string' ? fill(file.body, visit) : file.body);
    return;
  }
  if (!/\.(png|jpg)$/.test(path)) {
    response.writeHead(404).end();
    return;
  }
  const width = Number(query.get('w') ?? IMAGE_PIXELS);
  const height = Number(query.get('h') ?? IMAGE_PIXELS);
  response.writeHead(Number(query.get('status') ?? 200), { 'content-type': 'image/png' });
  response.end(solidPng(width, height, path));
}

/** `OWN/path` and `OTHER/path` in a text become absolute URLs of the visit. */
function fill(text: string, visit: Visit): string {
  return text.replaceAll(/\b(OWN|OTHER)\//g, (_, host: string) => visit.url('/', host === 'OWN' ? OWN_HOST : OTHER_HOST));
}
