import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { NO_CORS } from '../reading/elementFetches.ts';
import { predictedHeaders } from '../prediction/predictedHeaders.ts';
import { askForAddresses, nameServers } from '../names/nameServers.ts';
import { basicAuthorization } from './credentials.ts';
import type { HelperParts } from '../parts.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { ProxyService } from './proxyService.ts';

const LOOPBACK = '127.0.0.1';
/** After so many V8 has compiled, and optimized, what a page needs; more gain nothing. */
const VISITS = 8;
/** As a page has them: what the helper does for many connections at once is to be compiled, too. */
const SERVERS = 4;
const IMAGES = 60;
const IS_ANSWER = 0x80;
const NO_SUCH_NAME = 3;
/** As a browser asks for a document, as far as it matters to what is foreseen. */
const NAVIGATION = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,image/webp,*/*;q=0.8', 'Accept-Encoding', 'gzip'];
const SHEET = Array.from({ length: 100 }, (_, n) => `.x p.y${n}, #a { color: #fff; margin: 1px } .y > a { background: url("${n % 20}.png") no-repeat }`).join('\n');
const PICTURE = Buffer.alloc(3_000);

interface RehearsedObject {
  readonly url: string;
  readonly kind: 'style' | 'script' | 'image';
}

/**
 * Visits pages of this process through a proxy that nobody else knows. V8 runs slowly what it runs for the first times:
 * a first page of a hundred objects took the helper 0.25 s of processor, and a later one 0.12 s (docs/adr/0017). On two
 * processors that is time of the page.
 *
 * @param parts those that pages will be fetched by
 * @param spoolDirectory private to the user
 * @param settled settles when no page is under way: a visit is never beside one
 */
export async function rehearse(parts: HelperParts, spoolDirectory: string, settled: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const service = await ProxyService.start({ parts, spoolDirectory, isPublic: () => true, ranks: new ObjectRanks(), expected: () => [], roundTrip: () => undefined, leave: () => Promise.resolve(false), trust: null, doesPay: () => true, log: () => undefined });
  const servers = Array.from({ length: SERVERS }, () => createServer((request, response) => answer(request.url ?? '', origins, response)));
  const origins: string[] = [];
  const agent = new Agent({ keepAlive: true });
  try {
    for (const server of servers) {
      server.listen(0, LOOPBACK);
      await once(server, 'listening');
      origins.push(`http://${LOOPBACK}:${(server.address() as AddressInfo).port}`);
    }
    for (let visit = 0; visit < VISITS; visit++) {
      await settled();
      await visitPage(service, agent, `${origins[0] ?? ''}/${visit}/`, objectsOf(`/${visit}/`, origins));
      await askForName();
    }
  } finally {
    agent.destroy();
    await service.close();
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

function answer(path: string, origins: readonly string[], response: ServerResponse): void {
  if (path.endsWith('/')) response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(documentOf(objectsOf(path, origins))));
  else if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png', 'content-length': PICTURE.length, 'cache-control': 'max-age=60' }).end(PICTURE);
  else response.writeHead(200, { 'content-type': path.endsWith('.css') ? 'text/css' : 'text/plain' }).end(SHEET);
}

function objectsOf(path: string, origins: readonly string[]): RehearsedObject[] {
  const files = ['a.css', 'b.css', 'a.js', 'b.js', ...Array.from({ length: IMAGES }, (_, n) => `${n}.png`)];
  return files.map((file, n): RehearsedObject => ({
    url: `${origins[file.endsWith('.png') ? n % origins.length : 0] ?? ''}${path}${file}`,
    kind: file.endsWith('.png') ? 'image' : file.endsWith('.css') ? 'style' : 'script',
  }));
}

function documentOf(objects: readonly RehearsedObject[]): string {
  const elements = objects.map(({ url, kind }) => {
    if (kind === 'style') return `<link rel=stylesheet href="${url}">`;
    if (kind === 'script') return `<script src="${url}"></script>`;
    return `<p class="x y">Text &amp; <a href="/next?a=1">more</a><img src="${url}" alt=""><script>let a = "<b>"</script>`;
  });
  return `<!doctype html><html><head><meta charset=utf-8><title>Rehearsal</title><style>p{margin:0}</style></head><body class=x>${elements.join('\n')}</body></html>`;
}

async function visitPage(service: ProxyService, agent: Agent, url: string, objects: readonly RehearsedObject[]): Promise<void> {
  const get = async (path: string, fields: readonly string[]): Promise<void> => {
    const request = httpRequest({ host: LOOPBACK, port: service.port, agent, path, headers: [...fields, 'Proxy-Authorization', basicAuthorization(service.credentials)] });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await buffer(response);
  };
  const navigation = { url, request: ['Host', new URL(url).host, ...NAVIGATION], setCookies: [] };
  await get(url, navigation.request);
  const fieldsOf = (object: RehearsedObject): string[] => predictedHeaders(navigation, { ...object, mode: NO_CORS, referrer: url, referrerPolicy: null }, Date.now()) ?? [];
  await Promise.all(objects.map((object) => get(object.url, fieldsOf(object))));
}

/** A name is asked for, of a resolver in this process that knows none (RFC 1035, section 4.1.1). */
async function askForName(): Promise<void> {
  const resolver = createSocket('udp4');
  resolver.on('message', (question, { port, address }) => {
    question[2] = (question[2] ?? 0) | IS_ANSWER;
    question[3] = NO_SUCH_NAME;
    resolver.send(question, port, address);
  });
  try {
    resolver.bind(0, LOOPBACK);
    await once(resolver, 'listening');
    await askForAddresses('rehearsal.invalid', nameServers([`${LOOPBACK}:${resolver.address().port}`]), new Set([4])).catch(() => undefined);
  } finally {
    resolver.close();
  }
}
