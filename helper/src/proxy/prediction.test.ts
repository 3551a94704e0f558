import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { NOTHING_EXPECTED, type SeenObject } from '../../../shared/src/memory/neededObject.ts';
import { RankClass } from '../../../shared/src/scheduling/rank.ts';
import { predictedHeaders } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { ALL_PARTS, partsWithout } from '../parts.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { askService, PAGE_FIELDS, startTestService } from '../testing/testService.ts';
import type { ProxyService } from './proxyService.ts';

let server: Server;
let service: ProxyService;
let ranks: ObjectRanks;
let remembered: SeenObject[];
let pays: boolean;
let asked: string[];
let answering: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;

beforeEach(async () => {
  [asked, answering, remembered, ranks, pays] = [[], {}, [], new ObjectRanks(), true];
  server = await listenLocally(createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answering[request.url ?? ''];
    if (answer !== undefined) answer(request, response);
    else response.end(`body of ${request.url}`);
  }));
  service = await startService();
});

function startService(parts = ALL_PARTS): Promise<ProxyService> {
  return startTestService({ parts, ranks, expected: () => ({ ...NOTHING_EXPECTED, objects: remembered.map((object) => ({ ...object, isCertain: true })) }), doesPay: () => pays });
}

async function restartWithout(part: string): Promise<void> {
  await service.close();
  service = await startService(partsWithout(part));
}

afterEach(async () => {
  await service.close();
  await endServer(server);
});


const base = (): string => `http://127.0.0.1:${portOf(server)}`;

function ask(path: string, fields: readonly string[]): ReturnType<typeof askService> {
  return askService(service, new URL(path, base()).href, fields);
}

/** What the browser sends for an object of the page at /. */
function fieldsFor(path: string, kind: 'image' | 'script' | 'style'): string[] {
  const navigation = { url: `${base()}/`, request: ['Host', new URL(base()).host, ...PAGE_FIELDS], answer: [] };
  const fields = predictedHeaders(navigation, { url: `${base()}${path}`, kind, mode: { credentials: 'include', cors: false }, referrer: navigation.url, referrerPolicy: null }, Date.now());
  if (fields === null) throw new Error('no fields');
  return fields;
}

function page(html: string): (request: IncomingMessage, response: ServerResponse) => void {
  return (_, response) => response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}

describe('what a page names', () => {
  beforeEach(() => {
    answering['/'] = page('<!DOCTYPE html><link rel=stylesheet href=/a.css><script src=/a.js></script><img src=/a.jpg>');
  });

  it('is asked for before the browser asks, and once', async () => {
    expect((await ask('/', PAGE_FIELDS)).body).toContain('a.jpg');
    await expect.poll(() => [...asked].sort()).toEqual(['/', '/a.css', '/a.jpg', '/a.js']);
    const bodies = [await ask('/a.css', fieldsFor('/a.css', 'style')), await ask('/a.js', fieldsFor('/a.js', 'script')), await ask('/a.jpg', fieldsFor('/a.jpg', 'image'))];
    expect(bodies).toEqual(['/a.css', '/a.js', '/a.jpg'].map((path) => ({ status: 200, body: `body of ${path}` })));
    expect(asked).toHaveLength(4);
  });

  it('is not asked for where the browser will rather ask by itself', async () => {
    pays = false;
    await ask('/', PAGE_FIELDS);
    await ask('/a.css', fieldsFor('/a.css', 'style'));
    expect(asked).toEqual(['/', '/a.css']);
  });

  it.each(['foresight', 'foresightFromDocument'])('is not asked for without the part %s', async (part) => {
    await restartWithout(part);
    await ask('/', PAGE_FIELDS);
    await ask('/a.js', fieldsFor('/a.js', 'script'));
    expect(asked).toEqual(['/', '/a.js']);
  });

  it('is asked for without what its sheets import where that part is left out', async () => {
    await restartWithout('foresightFromStyles');
    answering['/'] = page('<!DOCTYPE html><link rel=stylesheet href=/a.css><body>');
    answering['/a.css'] = (_, response) => response.writeHead(200, { 'content-type': 'text/css' }).end('@import "/more.css";');
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => asked).toEqual(['/', '/a.css']);
    expect((await ask('/a.css', fieldsFor('/a.css', 'style'))).body).toContain('more.css');
    await ask('/later', fieldsFor('/later', 'image'));
    expect(asked).toEqual(['/', '/a.css', '/later']);
  });

  it('and what its sheets import', async () => {
    answering['/'] = page('<!DOCTYPE html><link rel=stylesheet href=/a.css><body>');
    answering['/a.css'] = (_, response) => response.writeHead(200, { 'content-type': 'text/css' }).end('@import "/more.css"; @import "/print.css" print; body { background: url(/b.png) }');
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => [...asked].sort()).toEqual(['/', '/a.css', '/more.css']);
    const fields = fieldsFor('/more.css', 'style').map((field) => (field.endsWith('/') && field.startsWith('http') ? `${field}a.css` : field));
    expect(await ask('/more.css', fields)).toEqual({ status: 200, body: 'body of /more.css' });
    expect(asked).toHaveLength(3);
  });

  it('is given to one request only', async () => {
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => asked).toContain('/a.jpg');
    await Promise.all([ask('/a.jpg', fieldsFor('/a.jpg', 'image')), ask('/a.jpg', fieldsFor('/a.jpg', 'image'))]);
    expect(asked.filter((path) => path === '/a.jpg')).toHaveLength(2);
  });

  it('that fails ahead of time is asked for anew', async () => {
    answering['/a.jpg'] = (request, response) => {
      if (asked.filter((path) => path === '/a.jpg').length === 1) request.socket.resetAndDestroy();
      else response.end('second');
    };
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => asked).toContain('/a.jpg');
    expect(await ask('/a.jpg', fieldsFor('/a.jpg', 'image'))).toEqual({ status: 200, body: 'second' });
  });

  it('and is still under way is passed on as it comes', async () => {
    let end: (() => void) | undefined;
    answering['/a.jpg'] = (_, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' });
      response.write('first ');
      end = () => response.end('last');
    };
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => asked).toContain('/a.jpg');
    const answer = ask('/a.jpg', fieldsFor('/a.jpg', 'image'));
    await sleep(20);
    end?.();
    expect((await answer).body).toBe('first last');
  });

  it('and a frame names too is not asked for ahead again', async () => {
    answering['/frame.html'] = page('<script src=/a.js></script><script src=/b.js></script>');
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => asked).toContain('/a.js');
    await ask('/frame.html', [...PAGE_FIELDS, 'Referer', 'http://127.0.0.1/']);
    await expect.poll(() => asked).toContain('/b.js');
    expect(asked.filter((path) => path === '/a.js')).toHaveLength(1);
  });

  it('is not asked for ahead any more where the browser asks in another way', async () => {
    await ask('/', PAGE_FIELDS);
    await expect.poll(() => asked).toContain('/a.jpg');
    await ask('/a.jpg', [...fieldsFor('/a.jpg', 'image'), 'X-Mine', '1']);
    answering['/'] = page('<img src=/other.jpg>');
    const before = asked.length;
    await ask('/', PAGE_FIELDS);
    await sleep(50);
    expect(asked.slice(before)).toEqual(['/']);
  });
});

it('what earlier visits needed is asked for with the page itself', async () => {
  remembered = [{ url: `${base()}/known.jpg`, kind: 'image', bytes: 1000, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } }];
  let endPage: (() => void) | undefined;
  answering['/'] = (_, response) => void (endPage = () => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'));
  const navigation = ask('/', PAGE_FIELDS);
  await expect.poll(() => [...asked].sort()).toEqual(['/', '/known.jpg']);
  endPage?.();
  await navigation;
  expect((await ask('/known.jpg', fieldsFor('/known.jpg', 'image'))).body).toBe('body of /known.jpg');
  expect(asked).toHaveLength(2);
});

it('what earlier visits needed is not asked for without the part of the memory', async () => {
  await restartWithout('foresightFromMemory');
  remembered = [{ url: `${base()}/known.jpg`, kind: 'image', bytes: 1000, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } }];
  await ask('/', PAGE_FIELDS);
  await ask('/later', fieldsFor('/later', 'image'));
  expect(asked).toEqual(['/', '/later']);
});

it('an image that is found to be in view goes before the others', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `/${i}.jpg`);
  answering['/'] = page(names.map((name) => `<img src=${name}>`).join(''));
  const open: (() => void)[] = [];
  for (const name of names) answering[name] = (_, response) => void open.push(() => response.end('x'.repeat(200_000)));
  await ask('/', PAGE_FIELDS);
  await expect.poll(() => open.length).toBeGreaterThan(0);
  ranks.ranked([{ url: `${base()}/19.jpg`, rankClass: RankClass.inView, order: 0, pixels: null }]);
  await expect.poll(() => {
    open.shift()?.();
    return asked;
  }).toHaveLength(1 + names.length);
  expect(asked.indexOf('/19.jpg')).toBeLessThan(asked.indexOf('/18.jpg'));
});

describe('another origin', () => {
  const other = (path: string): string => `http://localhost:${portOf(server)}${path}`;
  const fieldsOf = (path: string): string[] => {
    const navigation = { url: `${base()}/`, request: ['Host', '', ...PAGE_FIELDS], answer: [] };
    return predictedHeaders(navigation, { url: other(path), kind: 'image', mode: { credentials: 'include', cors: false }, referrer: navigation.url, referrerPolicy: null }, Date.now(), null) ?? [];
  };
  const askOther = (path: string, more: readonly string[] = []): Promise<{ status: number; body: string }> => ask(other(path), [...fieldsOf(path), ...more]);
  beforeEach(() => {
    answering['/'] = page(['/1.jpg', '/2.jpg', '/3.jpg'].map((path) => `<img src=${other(path)}>`).join(''));
    // trusted as the page is, so that its fields are known
    PAGE_FIELDS.push('sec-ch-ua', '"Chromium";v="156"', 'Sec-Fetch-Site', 'none', 'Sec-Fetch-Mode', 'navigate');
  });
  afterEach(() => void PAGE_FIELDS.splice(-6));

  it('is never asked before the browser asks it: a blocker may stop it, or its scheme be another', async () => {
    for (let load = 0; load < 3; load += 1) await ask('/', PAGE_FIELDS);
    await ask('/end', PAGE_FIELDS);
    expect(asked).toEqual(['/', '/', '/', '/end']);
  });

  it('is asked for all that its page names once the browser has asked', async () => {
    await ask('/', PAGE_FIELDS);
    await askOther('/1.jpg');
    await expect.poll(() => [...asked].sort()).toEqual(['/', '/1.jpg', '/2.jpg', '/3.jpg']);
    expect((await askOther('/2.jpg')).body).toBe('body of /2.jpg');
    expect(asked).toHaveLength(4);
  });

  it('is not where the browser has sent cookies: others may go with the next', async () => {
    await ask('/', PAGE_FIELDS);
    await askOther('/1.jpg', ['Cookie', 'a=1']);
    await ask('/end', PAGE_FIELDS);
    expect(asked).toEqual(['/', '/1.jpg', '/end']);
  });

  it('is asked in clear no more when the browser is known to upgrade it', async () => {
    await ask('/', PAGE_FIELDS);
    await askOther('/1.jpg');
    await expect.poll(() => asked).toHaveLength(4);
    service.upgraded(['localhost']);
    answering['/'] = page(`<img src=${other('/4.jpg')}>`);
    await ask('/', PAGE_FIELDS);
    await ask('/end', PAGE_FIELDS);
    expect(asked).not.toContain('/4.jpg');
  });
});

it.each(['http:///a', 'about:blank', 'none'])('a request is passed on whose referrer an extension has changed to %s', async (referer) => {
  expect(await ask('/a.js', ['Referer', referer, 'Cookie', 'a=1'])).toEqual({ status: 200, body: 'body of /a.js' });
});

it('a page with two cookies is foreseen as others are', async () => {
  answering['/'] = page('<img src=/a.jpg>');
  const crumbs = ['Referer', `${base()}/`, 'Cookie', 'a=1', 'Cookie', 'b=2'];
  await ask('/', [...PAGE_FIELDS, ...crumbs]);
  await expect.poll(() => asked).toContain('/a.jpg');
  await ask('/a.jpg', [...fieldsFor('/a.jpg', 'image'), 'Cookie', 'a=1; b=2']);
  expect(asked).toEqual(['/', '/a.jpg']);
});

it('a page with cookies that was come to from another site waits for the browser to show them all', async () => {
  answering['/'] = page('<img src=/a.jpg><img src=/b.jpg>');
  await ask('/', [...PAGE_FIELDS, 'Referer', 'http://elsewhere.test/', 'Cookie', 'lax=1']);
  await ask('/a.jpg', [...fieldsFor('/a.jpg', 'image'), 'Cookie', 'lax=1; strict=2']);
  await expect.poll(() => asked).toEqual(['/', '/a.jpg', '/b.jpg']);
  await ask('/b.jpg', [...fieldsFor('/b.jpg', 'image'), 'Cookie', 'lax=1; strict=2']);
  expect(asked).toHaveLength(3);
});

it('a visit is told with the addresses by which its servers were reached', async () => {
  const page = base().replace('127.0.0.1', 'localhost');
  await askService(service, `${page}/`, PAGE_FIELDS);
  expect(service.withObserved({ url: `${page}/`, asked: `${page}/`, objects: [], origins: [page] }, { objects: [], origins: [] }).addresses).toEqual([{ host: 'localhost', address: '127.0.0.1' }]);
});
