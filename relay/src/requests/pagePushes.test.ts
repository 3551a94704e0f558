import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { constants, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants as zlib, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectLocally, endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { TestCarrier, type Pushed } from '../testing/testCarrier.ts';
import { ClientRequests } from './clientRequests.ts';
import { ServerAgent } from './serverAgent.ts';

/** Longer than what is sent takes over loopback. */
const LATER_MS = 80;
/** As Chromium asks for a page in clear. */
const PAGE_FIELDS = ['upgrade-insecure-requests', '1', 'user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', 'accept', 'text/html,image/avif,image/webp,*/*;q=0.8', 'accept-encoding', 'gzip, deflate', 'accept-language', 'en'];

let server: Server;
let origin: string;
let carrier: TestCarrier;
let asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[];
/** Connections to servers, whatever name they have. */
let opened: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    response.sendDate = false;
    void answer(request, response);
  });
  const port = portOf(await listenLocally(server));
  origin = `http://localhost:${port}`;
  opened = [];
  const openTcp = async (host: string, at: number): Promise<Socket> => {
    opened.push(`${host}:${at}`);
    return (await connectLocally(port)).on('error', () => undefined);
  };
  carrier = await TestCarrier.start(new ClientRequests(new ServerAgent(openTcp, new TlsStarter(null))));
});
afterEach(async () => {
  await carrier.close();
  await endServer(server);
});

/** Answers with a page, and with what it names. */
function serve(html: string, { headers = {}, code = (body: Buffer): Buffer => body }: { readonly headers?: Readonly<Record<string, string>>; readonly code?: (body: Buffer) => Buffer } = {}): void {
  answer = ({ url }, response) => {
    if (url === '/page') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(code(Buffer.from(html)));
    else if (url?.endsWith('.css') === true) response.writeHead(200, { 'content-type': 'text/css' }).end(url === '/a.css' ? '@import "/imported.css";' : 'p {}');
    else response.end(`this is ${url ?? ''}`);
  };
}

function load(kinds: 'layout' | 'all' | null = 'all', fields: readonly string[] = []): ReturnType<TestCarrier['ask']> {
  return carrier.ask({ origin, path: '/page', fields: [...PAGE_FIELDS, ...fields, ...(kinds === null ? [] : ['firstscreen-push', kinds])] });
}

/** Paths that were promised. */
const promised = (): (string | undefined)[] => carrier.pushes.map(({ request }) => request[request.indexOf(':path') + 1]);

const HTML = '<link rel=stylesheet href=/a.css><script src=/b.js></script><img src=c.png><script async src=d.js></script>';

describe('what a page names', () => {
  it('is pushed as its browser would ask for it, and as the server answers', async () => {
    serve(HTML);
    const seen = await load('all', ['cookie', 'a=1', 'sec-gpc', '1', 'referer', `${origin}/`]);
    expect([seen.body.toString(), seen.end]).toEqual([HTML, 'whole']);
    await expect.poll(() => promised().slice(0, 4)).toEqual(['/a.css', '/b.js', '/c.png', '/d.js']);
    await expect.poll(() => carrier.pushes.slice(0, 2).map(({ body }) => body.toString())).toEqual(['@import "/imported.css";', 'this is /b.js']);
    const [sheet, script] = carrier.pushes;
    expect(sheet?.response.slice(0, 4)).toEqual([':status', '200', 'content-type', 'text/css']);
    expect(script?.request).toEqual([
      ':method', 'GET', ':scheme', 'http', ':authority', new URL(origin).host, ':path', '/b.js', 'firstscreen-level', '1', 'user-agent', PAGE_FIELDS[3], 'sec-gpc', '1', 'accept', '*/*',
      'referer', `${origin}/page`, 'accept-encoding', 'gzip, deflate', 'accept-language', 'en', 'cookie', 'a=1',
    ]);
  });

  it('is not pushed where the client has had it lately: frames name what their page has named, and a page itself', async () => {
    serve('<link rel=stylesheet href=/z.css><script src=/b.js></script><img src=c.png><img src=/page>');
    await carrier.ask({ origin, path: '/b.js' });
    await load();
    await expect.poll(() => promised().toSorted()).toEqual(['/c.png', '/z.css']);
    await load();
    await sleep(LATER_MS);
    expect(promised()).toHaveLength(2);
  });

  it('is pushed again after more than is kept of what the client has had', async () => {
    serve('<script src=/b.js></script>');
    await load();
    await expect.poll(promised).toEqual(['/b.js']);
    for (let n = 0; n < 100; n += 1) await carrier.ask({ origin, path: `/${n}${'x'.repeat(45_000)}` });
    await load();
    await expect.poll(promised).toEqual(['/b.js', '/b.js']);
  });

  it('is promised before what names it comes', async () => {
    const events: string[] = [];
    const hasBegun = Promise.withResolvers<unknown>();
    answer = ({ url }, response) => {
      if (url !== '/page') return response.end();
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' });
      const coded = gzipSync(`<link rel=stylesheet href=/a.css>${'x'.repeat(100)}`);
      response.write(coded.subarray(0, 20));
      return hasBegun.promise.then(() => response.end(coded.subarray(20)));
    };
    carrier.promised = ({ request }) => events.push(`promise ${request[7] ?? ''}`);
    const stream = carrier.stream({ origin, path: '/page', fields: [...PAGE_FIELDS, 'firstscreen-push', 'layout'] });
    let bytes = 0;
    stream.on('data', ({ length }: Buffer) => events.push(`${(bytes += length)} bytes`));
    stream.once('data', hasBegun.resolve);
    await once(stream, 'end');
    expect(events.slice(0, 2)).toEqual(['20 bytes', 'promise /a.css']);
  });

  it('is not looked for in more than is read of the pages of a client at a time, and is again when one of them is over', async () => {
    answer = ({ url = '' }, response) => {
      if (url.endsWith('.js')) return response.end();
      const html = `<!--${'x'.repeat(7_500_000)}--><script src=${url}.js></script>`;
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'br' });
      // a few hundred bytes, and then nothing more
      return response.write(brotliCompressSync(html, { finishFlush: zlib.BROTLI_OPERATION_FLUSH, params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } }));
    };
    let pages = 0;
    const begin = async (): Promise<ClientHttp2Stream> => {
      pages += 1;
      const stream = carrier.stream({ origin: origin.replace('localhost', `p${pages}.test`), path: `/${pages}`, fields: [...PAGE_FIELDS, 'firstscreen-push', 'layout'] });
      // it passes when it was looked into
      await once(stream, 'data');
      return stream.resume();
    };
    const begun: ClientHttp2Stream[] = [];
    for (let n = 0; n < 9; n += 1) begun.push(await begin());
    expect(promised()).toEqual(Array.from({ length: 8 }, (_, n) => `/${n + 1}.js`));
    begun[0]?.close(constants.NGHTTP2_CANCEL);
    await expect.poll(async () => {
      await begin();
      return promised().length;
    }).toBe(9);
  });

  it.each([['gzip', gzipSync], ['br', brotliCompressSync], ['zstd', zstdCompressSync]])('is found where the page is coded: %s', async (coding, code) => {
    serve(HTML, { headers: { 'content-encoding': coding }, code });
    const seen = await load();
    expect(seen.body.equals(code(Buffer.from(HTML)))).toBe(true);
    await expect.poll(promised).toContain('/b.js');
  });

  it('is layout files alone where images are not wanted', async () => {
    serve(HTML);
    await load('layout');
    await expect.poll(promised).toContain('/b.js');
    await sleep(LATER_MS);
    expect(promised()).not.toContain('/c.png');
  });

  it('may be named by a style sheet, while the page comes', async () => {
    const isImported = Promise.withResolvers<unknown>();
    answer = ({ url }, response) => {
      if (url === '/page') {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).write('<link rel=stylesheet href=/a.css>');
        return isImported.promise.then(() => response.end());
      }
      if (url === '/imported.css') isImported.resolve(null);
      return response.writeHead(200, { 'content-type': 'text/css' }).end(url === '/a.css' ? '@import "/imported.css";' : 'p {}');
    };
    await load();
    await expect.poll(promised).toEqual(['/a.css', '/imported.css']);
    expect(carrier.pushes[1]?.request).toContain(`${origin}/a.css`);
  });

  it('is given up when the helper does not want it', async () => {
    let isGone = false;
    answer = ({ url }, response) => {
      if (url === '/page') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<script src=/b.js></script>');
      else response.once('close', () => (isGone = true)).write('part');
    };
    carrier.promised = ({ stream }: Pushed) => stream.close(constants.NGHTTP2_CANCEL);
    await load();
    await expect.poll(() => [isGone, asked.length]).toEqual([true, 2]);
  });
});

describe('other servers that a page names', () => {
  /** A page of `www`, by a server that answers to every name. */
  const HTML = '<link rel=stylesheet href=http://static.a.test/a.css><script src=http://b.test/b.js></script><script src=http://b.test/c.js></script><img src=http://images.a.test/c.png>';
  const promises = async (servers: string, fields: readonly string[], hosts: readonly string[], headers = {}): Promise<(string | undefined)[][]> => {
    serve(HTML, { headers });
    await carrier.ask({ origin: 'http://www.a.test', path: '/page', fields: [...PAGE_FIELDS, ...fields, 'firstscreen-push', 'all', 'firstscreen-servers', servers] });
    await expect.poll(() => opened.toSorted()).toEqual(hosts);
    await sleep(LATER_MS);
    expect(opened).toHaveLength(hosts.length);
    return carrier.pushes.map(({ request }) => [':authority', ':path', 'referer', 'cookie'].map((name) => request[request.indexOf(name) + 1]).slice(0, request.includes('cookie') ? 4 : 3));
  };
  const ALL = ['b.test:80', 'images.a.test:80', 'static.a.test:80', 'www.a.test:80'];

  it('are asked ahead where they are of its site and the browser has no cookies for the page; others have a connection ready', async () => {
    // a script may have set cookies before a browser asks for images
    expect(await promises('all', [], ALL)).toEqual([['static.a.test', '/a.css', 'http://www.a.test/']]);
    await carrier.ask({ origin: 'http://b.test', path: '/b.js' });
    expect(opened.length).toBe(4);
  });

  it.each([['its browser has cookies', ['cookie', 'a=1'], {}], ['it sets some', [], { 'set-cookie': 'a=1' }]])('have a connection alone where %s', async (_, fields, headers) => {
    expect(await promises('all', fields, ALL, headers)).toEqual([]);
  });

  it('have a connection ready, too, where a style sheet of the page names them', async () => {
    answer = ({ url }, response) => {
      if (url === '/page') response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel=stylesheet href=http://b.test/a.css>');
      else response.writeHead(200, { 'content-type': 'text/css' }).end('@font-face { src: url(//fonts.test/x.woff2) }');
    };
    await load('all', ['firstscreen-servers', 'all']);
    await carrier.ask({ origin: 'http://b.test', path: '/a.css' });
    await expect.poll(() => opened.slice(1)).toEqual(['b.test:80', 'fonts.test:80']);
  });

  it('have a connection ready where the page has moved there', async () => {
    answer = (_, response) => response.writeHead(301, { location: 'http://www.b.test/page' }).end();
    const seen = await load('all', ['firstscreen-servers', 'all']);
    await expect.poll(() => opened.slice(1)).toEqual(['www.b.test:80']);
    await sleep(LATER_MS);
    expect([seen.raw[1], asked.length]).toEqual(['301', 1]);
  });

  it('of other sites are left alone where they are tunnels', async () => {
    expect(await promises('site', ['cookie', 'a=1'], ALL.slice(1))).toEqual([]);
  });

  it('are left alone, all of them, where that is not said', async () => {
    expect(await promises('what-is-new', [], ['www.a.test:80'])).toEqual([]);
  });

  it('are connected to six at most', async () => {
    serve(Array.from({ length: 9 }, (_, i) => `<script src=http://s${i}.test/></script>`).join(''));
    await load('all', ['firstscreen-servers', 'all']);
    await expect.poll(() => opened.length).toBe(7);
    await sleep(LATER_MS);
    expect(opened.length).toBe(7);
  });
});

describe('nothing is pushed', () => {
  it.each([
    ['where the helper has not asked for it', HTML, {}, null, []],
    ['of another site', '<script src=http://other.test/b.js></script>', {}, 'all', []],
    ['that the policy of the page does not allow', HTML, { 'content-security-policy': "default-src 'none'" }, 'all', []],
    ['of what is no page', HTML, { 'content-type': 'text/plain' }, 'all', []],
    ['of a page that is asked for again', HTML, {}, 'all', ['cache-control', 'max-age=0']],
    ['where cookies are not clear', HTML, {}, 'all', ['cookie', 'a=1', 'referer', 'http://elsewhere.test/']],
    ['to who is no browser that is known', HTML, {}, 'all', ['user-agent', 'Other']],
  ] as const)('%s', async (_, html, headers, kinds, fields) => {
    serve(html, { headers });
    const own = fields[0] === 'user-agent' ? PAGE_FIELDS.filter((__, place) => place !== 2 && place !== 3) : PAGE_FIELDS;
    const seen = await carrier.ask({ origin, path: '/page', fields: [...own, ...fields, ...(kinds === null ? [] : ['firstscreen-push', kinds])] });
    await sleep(LATER_MS);
    expect([seen.body.toString(), promised(), asked.length]).toEqual([html, [], 1]);
  });

  it('twice, nor without end', async () => {
    serve(`<script src=/b.js></script>${Array.from({ length: 200 }, (_, i) => `<script src=/${i}.js></script>`).join('')}<script src=/b.js></script>`);
    // what the browser has had of it by the second time is none of what the page may have
    for (const count of [60, 120]) {
      await load();
      await expect.poll(() => promised().length).toBe(count);
      await sleep(LATER_MS);
      expect([promised().length, new Set(promised()).size]).toEqual([count, count]);
    }
  });
});
