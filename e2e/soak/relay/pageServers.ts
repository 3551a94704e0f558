import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { SERVER_HOST } from '../../relay/helperOfTests.ts';
import { SERVERS, type Page, type PageObject } from './page.ts';

/** A server gives each answer at this rate, so that both ways are as fast, and a fault finds answers that have begun. */
const [PIECE_BYTES, PIECE_MS] = [8 * 1024, 10];

/** The servers of all pages. */
export class PageServers {
  /** How often each form was sent, by its path. */
  readonly posts = new Map<string, number>();
  private readonly objects = new Map<string, PageObject>();
  private readonly servers: Server[] = [];

  private constructor() {
    for (let place = 0; place < SERVERS; place += 1) this.servers.push(createServer((request, response) => void this.answer(request, response)));
  }

  static async start(): Promise<PageServers> {
    const self = new PageServers();
    await Promise.all(self.servers.map((server) => listenLocally(server, SERVER_HOST)));
    return self;
  }

  /** Host and port of one of them. */
  authority(server: number): string {
    return `${SERVER_HOST}:${portOf(this.servers[server] as Server)}`;
  }

  add(page: Page): void {
    for (const object of page.objects) this.objects.set(object.path, object);
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map(endServer));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request;
    const object = this.objects.get(url);
    response.on('error', () => undefined);
    if (method === 'POST') {
      this.posts.set(url, (this.posts.get(url) ?? 0) + 1);
      request.resume();
      await once(request, 'end').catch(() => undefined);
      await sleep(PIECE_MS);
      response.end('sent');
    } else if (object === undefined) response.writeHead(404).end();
    else await send(request, response, object);
  }
}

async function send({ headers }: IncomingMessage, response: ServerResponse, { kind, path, body, coded }: PageObject): Promise<void> {
  const tag = `"${path}"`;
  const [, first] = kind === 'tagged' && headers['if-range'] === tag ? (/^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []) : [];
  const isCoded = kind === 'gzip' && /gzip/.test(String(headers['accept-encoding']));
  const all = isCoded ? coded : body;
  const sent = all.subarray(Number(first ?? 0));
  response.setHeader('content-type', 'text/plain');
  if (kind === 'tagged') response.setHeader('etag', tag);
  if (kind === 'weak') response.setHeader('etag', `W/${tag}`);
  if (isCoded) response.setHeader('content-encoding', 'gzip');
  if (kind !== 'chunked') response.setHeader('content-length', sent.length);
  if (first === undefined) response.writeHead(200);
  else response.writeHead(206, { 'content-range': `bytes ${first}-${all.length - 1}/${all.length}` });
  for (let place = 0; place < sent.length && !response.destroyed; place += PIECE_BYTES) {
    response.write(sent.subarray(place, place + PIECE_BYTES));
    await sleep(PIECE_MS);
  }
  response.end();
}
