import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { NOTHING_EXPECTED, type ExpectedObject, type NeededKind } from '../../../shared/src/memory/neededObject.ts';
import { NO_CORS } from '../../../shared/src/node/reading/elementFetches.ts';
import { predictedHeaders } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { askService, PAGE_FIELDS, startTestService } from '../testing/testService.ts';
import type { ProxyService } from './proxyService.ts';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
let service: ProxyService;
let asked: string[];
let purposes: (string | undefined)[];
let answering: Record<string, Answering>;
let remembered: ExpectedObject[];

beforeEach(async () => {
  [asked, purposes, remembered] = [[], [], []];
  answering = { '/': page('<a href=/next>next</a>'), '/next': page('<p>next') };
  server = await listenLocally(createServer((request, response) => {
    asked.push(request.url ?? '');
    purposes.push(request.headers['sec-purpose'] as string | undefined);
    const answer = answering[request.url ?? ''];
    if (answer !== undefined) answer(request, response);
    else response.end(`body of ${request.url}`);
  }));
  service = await startTestService({ expected: () => ({ ...NOTHING_EXPECTED, objects: remembered }) });
});
afterEach(async () => {
  await service.close();
  await endServer(server);
});

const urlOf = (path: string): string => `http://127.0.0.1:${portOf(server)}${path}`;

function page(html: string, fields: Readonly<Record<string, string>> = {}): Answering {
  return (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...fields }).end(`<!DOCTYPE html>${html}`);
}

function ask(path: string, fields: readonly string[], method?: string): ReturnType<typeof askService> {
  return askService(service, urlOf(path), fields, method);
}

/** The visitor is on a page, and follows a link of it. */
const visit = (more: readonly string[] = []): ReturnType<typeof ask> => ask('/', [...PAGE_FIELDS, ...more]);
const follow = (path = '/next', more: readonly string[] = []): ReturnType<typeof ask> => ask(path, [...PAGE_FIELDS.slice(0, 6), 'Referer', urlOf('/'), ...PAGE_FIELDS.slice(6), ...more]);

function point(path = '/next', isLikely = true): void {
  service.pointed({ page: urlOf('/'), url: urlOf(path), isLikely, referrerPolicy: null }, remembered);
}

const rememberedImage = (path: string): ExpectedObject => ({ url: urlOf(path), kind: 'image', bytes: 1_000, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false }, isCertain: true });

/** What was asked for, when nothing is asked for any more: a request that is asked for last has come. */
async function settledRequests(): Promise<string[]> {
  await ask('/end', ['Accept', '*/*']);
  return asked.filter((path) => path !== '/end');
}

describe('the page of a link that is likely to be followed', () => {
  it('is asked for once, as a prefetch, and given to the navigation', async () => {
    await visit();
    point();
    await expect.poll(() => asked).toContain('/next');
    point();
    expect(await follow()).toEqual({ status: 200, body: '<!DOCTYPE html><p>next' });
    expect(await settledRequests()).toEqual(['/', '/next']);
    expect(purposes.slice(0, 2)).toEqual([undefined, 'prefetch']);
  });

  it('is given as it comes to who follows the link meanwhile', async () => {
    let end: (() => void) | undefined;
    answering['/next'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('first ');
      end = () => response.end('last');
    };
    await visit();
    point();
    await expect.poll(() => end).toBeDefined();
    const answer = follow();
    end?.();
    expect((await answer).body).toBe('first last');
    expect(asked).toEqual(['/', '/next']);
  });

  it('brings what lays it out and the first images that it names, which are asked for once', async () => {
    const images = Array.from({ length: 7 }, (_, place) => `<img src=/${place}.jpg>`).join('');
    answering['/next'] = page(`<link rel=stylesheet href=/a.css><script src=/a.js></script><img loading=lazy src=/lazy.jpg>${images}`);
    const first = ['/', '/0.jpg', '/1.jpg', '/2.jpg', '/3.jpg', '/4.jpg', '/a.css', '/a.js', '/next'];
    await visit();
    point();
    await expect.poll(() => [...asked].sort()).toEqual(first);
    await follow();
    await expect.poll(() => asked).toContain('/6.jpg');
    const navigation = { url: urlOf('/next'), request: ['Host', new URL(urlOf('/')).host, ...PAGE_FIELDS], answer: [] };
    const fieldsOf = (path: string, kind: NeededKind): string[] => (predictedHeaders(navigation, { url: urlOf(path), kind, mode: NO_CORS, referrer: urlOf('/next'), referrerPolicy: null }, Date.now()) ?? []).slice(2);
    expect(await ask('/a.css', fieldsOf('/a.css', 'style'))).toEqual({ status: 200, body: 'body of /a.css' });
    const [image] = await Promise.all(['/0.jpg', '/5.jpg'].map((path) => ask(path, fieldsOf(path, 'image'))));
    expect(image).toEqual({ status: 200, body: 'body of /0.jpg' });
    expect((await settledRequests()).sort()).toEqual([...first, '/5.jpg', '/6.jpg'].sort());
  });

  it('brings images that it is remembered to show first', async () => {
    remembered = [rememberedImage('/known.jpg')];
    await visit();
    remembered = [rememberedImage('/next.jpg')];
    point();
    await expect.poll(() => asked).toContain('/next.jpg');
  });

  it('brings none of them that the browser has in its cache, as an earlier helper has learnt', async () => {
    await visit();
    remembered = [{ ...rememberedImage('/cached.jpg'), cached: { keptDay: Math.floor(Date.now() / DAY_MS) + 2, freshDay: 0, profile: 'p' } }, rememberedImage('/next.jpg')];
    point();
    await expect.poll(() => asked).toContain('/next.jpg');
    expect((await settledRequests()).sort()).toEqual(['/', '/next', '/next.jpg']);
  });

  it('is no more than a connection while the pointer only passes', async () => {
    await visit();
    point('/next', false);
    expect(await settledRequests()).toEqual(['/']);
  });

  it.each<[string, readonly string[]]>([
    ['cookies that have come', ['Cookie', 'a=1']],
    ['a validator', ['If-None-Match', '"1"']],
    ['a field of its own', ['X-Own', '1']],
  ])('is not what the browser asks for with %s', async (_, more) => {
    await visit();
    point();
    await expect.poll(() => asked).toContain('/next');
    expect((await follow('/next', more)).status).toBe(200);
    expect(await settledRequests()).toEqual(['/', '/next', '/next']);
  });

  it('is asked for with the cookies that the browser has sent last', async () => {
    let cookie: string | undefined;
    answering['/next'] = (request, response) => {
      cookie = request.headers.cookie;
      response.writeHead(200, { 'content-type': 'text/html' }).end();
    };
    await visit(['Cookie', 'a=1', 'Referer', urlOf('/before')]);
    await ask('/x.png', ['Accept', 'image/*', 'Referer', urlOf('/'), 'Cookie', 'a=1; b=2']);
    point();
    await expect.poll(() => cookie).toBe('a=1; b=2');
  });

  it('is not asked for where an answer has set cookies since', async () => {
    answering['/x.png'] = (_, response) => response.writeHead(200, { 'set-cookie': 'b=2' }).end();
    await visit();
    await ask('/x.png', ['Accept', 'image/*', 'Referer', urlOf('/')]);
    point();
    expect(await settledRequests()).toEqual(['/', '/x.png']);
  });

  it('is dropped when something is posted there, which may have changed it', async () => {
    await visit();
    point();
    await expect.poll(() => asked).toContain('/next');
    await ask('/post', ['Accept', '*/*', 'Referer', urlOf('/'), 'Content-Length', '0'], 'POST');
    await follow();
    expect(asked).toEqual(['/', '/next', '/post', '/next']);
  });

  it('is not fetched ahead again where servers set cookies by it in vain', async () => {
    answering['/next'] = page('', { 'set-cookie': 'seen=1' });
    await visit();
    point();
    await expect.poll(() => asked).toContain('/next');
    await follow('/next', ['X-Own', '1']);
    point('/third');
    expect(await settledRequests()).toEqual(['/', '/next', '/next']);
  });

  it('is not fetched ahead again where the browser has asked twice in another way', async () => {
    for (const path of ['/1', '/2', '/3']) {
      answering[path] = page('');
      await visit();
      point(path);
      if (path !== '/3') await expect.poll(() => asked).toContain(path);
      await follow(path, ['X-Own', '1']);
    }
    expect((await settledRequests()).filter((path) => path !== '/')).toEqual(['/1', '/1', '/2', '/2', '/3']);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>]>([
    ['whose user saves data', ['Save-Data', 'on'], {}],
    ['with rules of its own for prefetches', [], { 'speculation-rules': '"/rules.json"' }],
    ['that upgrades its links', [], { 'content-security-policy': 'upgrade-insecure-requests' }],
  ])('is not asked for from a page %s', async (_, more, fields) => {
    answering['/'] = page('', fields);
    await visit(more);
    point();
    expect(await settledRequests()).toEqual(['/']);
  });

  it('is not asked for from a page that did not come this way, and not when its path says that it does something', async () => {
    point();
    await visit();
    point('/logout');
    expect(await settledRequests()).toEqual(['/']);
  });

  it('is not asked for when the browser has just had it', async () => {
    await follow();
    await visit();
    point();
    expect(await settledRequests()).toEqual(['/next', '/']);
  });

  it('is not given when a server says something else to a prefetch', async () => {
    answering['/next'] = (request, response) => {
      if (request.headers['sec-purpose'] === undefined) response.end('page');
      else response.writeHead(503).end('no prefetch');
    };
    await visit();
    point();
    await expect.poll(() => asked).toContain('/next');
    expect(await follow()).toEqual({ status: 200, body: 'page' });
  });

  it('is left where it is a file', async () => {
    let isClosed = false;
    answering['/next'] = (_, response) => {
      response.on('close', () => (isClosed = true));
      response.writeHead(200, { 'content-type': 'application/zip' }).write('x'.repeat(1_000));
    };
    await visit();
    point();
    await expect.poll(() => isClosed).toBe(true);
  });
});

describe('of what nobody opens', () => {
  it('two pages an hour are asked for, and those that are opened do not count', async () => {
    for (const path of ['/1', '/2', '/3', '/4', '/5']) answering[path] = page('');
    await visit();
    point('/1');
    await expect.poll(() => asked).toContain('/1');
    await follow('/1');
    for (const path of ['/2', '/3', '/4']) {
      await visit();
      point(path);
      if (path !== '/4') await expect.poll(() => asked).toContain(path);
    }
    expect((await settledRequests()).filter((path) => path !== '/')).toEqual(['/1', '/2', '/3']);
    await follow('/3');
    await visit();
    point('/5');
    await expect.poll(() => asked).toContain('/5');
  });

  it('300 kB an hour come at most, whether their length is said or not', async () => {
    const [said, unsaid] = [{ isCut: false }, { isCut: false, sent: 0 }];
    answering['/said'] = (_, response) => {
      response.on('close', () => (said.isCut = !response.writableFinished));
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '400000' }).write('x'.repeat(1_000));
    };
    answering['/unsaid'] = (_, response) => {
      response.on('close', () => (unsaid.isCut = true));
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = (): void => {
        if (unsaid.isCut) return;
        unsaid.sent += 10_000;
        response.write('x'.repeat(10_000), () => setImmediate(more));
      };
      more();
    };
    await visit();
    point('/said');
    await expect.poll(() => said.isCut).toBe(true);
    point('/unsaid');
    await expect.poll(() => unsaid.isCut).toBe(true);
    expect(unsaid.sent).toBeGreaterThan(300_000);
    await visit();
    point('/next');
    expect((await settledRequests()).filter((path) => path !== '/')).toEqual(['/said', '/unsaid']);
  });
});

it('a link of another origin brings a connection to it, and no request', async () => {
  let connections = 0;
  const other = await listenLocally(createServer(() => undefined).on('connection', () => (connections += 1)));
  await visit();
  service.pointed({ page: urlOf('/'), url: `http://127.0.0.1:${portOf(other)}/next`, isLikely: true, referrerPolicy: null }, []);
  await expect.poll(() => connections).toBe(1);
  await endServer(other);
});
