import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { NO_CORS } from '../reading/elementFetches.ts';
import { predictedHeaders } from '../prediction/predictedHeaders.ts';
import { askForAddresses, nameServers } from '../names/nameServers.ts';
import { basicAuthorization } from './credentials.ts';
import type { HelperParts } from '../parts.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { ProxyService } from './proxyService.ts';

const LOOPBACK = '127.0.0.1';
/** After the second visit nothing is compiled for the first time any more. */
const VISITS = 3;
const IS_ANSWER = 0x80;
const NO_SUCH_NAME = 3;
/** As a browser asks for a document, as far as it matters to what is foreseen. */
const NAVIGATION = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,image/webp,*/*;q=0.8', 'Accept-Encoding', 'gzip'];
const OBJECTS = [
  { path: 'a.css', kind: 'style' },
  { path: 'a.js', kind: 'script' },
  { path: 'a.png', kind: 'image' },
] as const;
const DOCUMENT = gzipSync(
  '<!doctype html><html><head><meta charset=utf-8><title>Rehearsal</title><link rel=stylesheet href=a.css><style>p{background:url(b.png)}</style><script src=a.js></script></head>' +
    `<body class=x>${'<p class="x y">Text &amp; <a href="/next?a=1">more</a><img src=a.png alt=""><script>let a = "<b>"</script>\n'.repeat(40)}</body></html>`,
);
const SHEET = Array.from({ length: 100 }, (_, n) => `.x p.y${n}, #a { color: #fff; margin: 1px } .y > a { background: url("${n % 20}.png") no-repeat }`).join('\n');

/**
 * Visits a page of this process through a proxy that nobody else knows. V8 compiles what it runs for the first time; without this the first page of a browser waits for that at each of the steps
 * that its first screen takes (some 20 ms for the document alone, measured over loopback).
 *
 * @param parts those that pages will be fetched by
 * @param spoolDirectory private to the user
 */
export async function rehearse(parts: HelperParts, spoolDirectory: string): Promise<void> {
  const service = await ProxyService.start({ parts, spoolDirectory, isPublic: () => true, ranks: new ObjectRanks(), expected: () => [], roundTrip: () => undefined, leave: () => Promise.resolve(false), trust: null, doesPay: () => true, log: () => undefined });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('/')) response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(DOCUMENT);
    else response.writeHead(200, { 'content-type': path.endsWith('.css') ? 'text/css' : 'text/plain' }).end(SHEET);
  });
  const agent = new Agent({ keepAlive: true });
  try {
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let visit = 0; visit < VISITS; visit++) {
      await visitPage(service, agent, `http://${LOOPBACK}:${port}/${visit}/`);
      await askForName();
    }
  } finally {
    agent.destroy();
    await service.close();
    server.close();
    server.closeAllConnections();
  }
}

async function visitPage(service: ProxyService, agent: Agent, url: string): Promise<void> {
  const get = async (path: string, fields: readonly string[]): Promise<void> => {
    const request = httpRequest({ host: LOOPBACK, port: service.port, agent, path, headers: [...fields, 'Proxy-Authorization', basicAuthorization(service.credentials)] });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await text(response);
  };
  const navigation = { url, request: ['Host', new URL(url).host, ...NAVIGATION], setCookies: [] };
  await get(url, navigation.request);
  const fieldsOf = ({ path, kind }: (typeof OBJECTS)[number]): string[] => predictedHeaders(navigation, { url: `${url}${path}`, kind, mode: NO_CORS, referrer: url, referrerPolicy: null }, Date.now()) ?? [];
  await Promise.all(OBJECTS.map((object) => get(`${url}${object.path}`, fieldsOf(object))));
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
