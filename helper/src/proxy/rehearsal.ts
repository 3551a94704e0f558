import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { SchemeName } from '../../../shared/src/fetching/schemeNames.ts';
import { askAll, nameServers } from '../names/nameServers.ts';
import { basicAuthorization } from './credentials.ts';
import { ObjectRanks } from './objectRanks.ts';
import { ProxyService } from './proxyService.ts';

const LOOPBACK = '127.0.0.1';
/** After the second visit nothing is compiled for the first time any more. */
const VISITS = 3;
const IS_ANSWER = 0x80;
const NO_SUCH_NAME = 3;
const NAVIGATION = { 'upgrade-insecure-requests': '1', accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip', cookie: 'a=1' };
const DOCUMENT = gzipSync(
  '<!doctype html><html><head><meta charset=utf-8><title>Rehearsal</title><link rel=stylesheet href=/a.css><style>p{background:url(/b.png)}</style><script src=/a.js></script></head>' +
    `<body class=x>${'<p>Text &amp; <a href="/next?a=1">more</a><img src=/a.png alt=""><script>let a = "<b>"</script>\n'.repeat(40)}</body></html>`,
);
const TYPES: Readonly<Record<string, string>> = { '/': 'text/html', '/a.css': 'text/css', '/a.js': 'text/javascript', '/a.png': 'image/png' };

/**
 * Visits a page of this process through a proxy that nobody else knows. V8 compiles what it runs for the first time; without this the first page of a browser waits for that, some 60 ms in all at each of the
 * steps that its first screen takes.
 *
 * @param scheme the one that pages will be fetched by
 * @param spoolDirectory private to the user
 */
export async function rehearse(scheme: SchemeName, spoolDirectory: string): Promise<void> {
  const service = await ProxyService.start({ scheme, spoolDirectory, ranks: new ObjectRanks(), expected: () => [], foresaw: () => undefined, leave: () => Promise.resolve(false), trust: null, log: () => undefined });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const isDocument = path === '/';
    response.writeHead(200, { 'content-type': TYPES[path] ?? 'text/plain', 'cache-control': 'max-age=60', ...(isDocument && { 'content-encoding': 'gzip' }) });
    response.end(isDocument ? DOCUMENT : 'p { color: black }');
  });
  const agent = new Agent({ keepAlive: true });
  try {
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (let visit = 0; visit < VISITS; visit++) {
      await visitPage(service, agent, `http://${LOOPBACK}:${port}`);
      await askForName();
    }
  } finally {
    agent.destroy();
    await service.close();
    server.close();
    server.closeAllConnections();
  }
}

async function visitPage(service: ProxyService, agent: Agent, origin: string): Promise<void> {
  const get = async (path: string, headers: Readonly<Record<string, string>>): Promise<void> => {
    const request = httpRequest({ host: LOOPBACK, port: service.port, agent, path: `${origin}${path}`, headers: { ...headers, 'proxy-authorization': basicAuthorization(service.credentials) } });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await text(response);
  };
  await get('/', NAVIGATION);
  await Promise.all(['/a.css', '/a.js', '/a.png'].map((path) => get(path, { accept: path === '/a.png' ? 'image/*' : '*/*', 'accept-encoding': 'gzip', referer: `${origin}/` })));
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
    await askAll('rehearsal.invalid', nameServers([`${LOOPBACK}:${resolver.address().port}`]), new Set([4])).catch(() => undefined);
  } finally {
    resolver.close();
  }
}
