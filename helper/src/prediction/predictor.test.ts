import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { NOTHING_EXPECTED, UNSEEN_DOCUMENT, type Expected, type SeenDocument, type SeenObject, type SeenRequest, type ToldVisit } from '../../../shared/src/memory/neededObject.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';
import { RequestRecorder } from '../../../shared/src/requests/requestRecorder.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { testPredictor, UNHELD } from '../testing/testPredictor.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
import type { ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import { ObjectRanks } from './objectRanks.ts';
import type { Predictor, PredictorOptions } from './predictor.ts';

const AGENT = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Accept-Encoding', 'gzip'];

let answers: Map<string, { readonly headers: RawHeaders; readonly body: string }>;
let foreseen: string[];
/** All requests to servers, as they were made. */
let asked: UpstreamRequest[];
let remembered: Expected;
let nowMs: number;
/** Of all answers. */
let status: number;
let events: RequestEvent[];
let connected: string[];
let priorities: (string | null)[];
/** Servers that are asked in tunnels. */
let closed: Set<string>;
/** Pages whose images are wanted only when somebody comes near them. */
let saving: Set<string>;
/** Whether servers break off what they say. */
let breaksOff: boolean;
let predictor: Predictor;
/** Whether the link is slow. */
let isWorthwhile: boolean;
const ranks = new ObjectRanks();

beforeEach(() => {
  answers = new Map();
  isWorthwhile = true;
  [foreseen, asked, remembered, nowMs, status, events, connected, priorities, closed, saving, breaksOff] = [[], [], NOTHING_EXPECTED, 1, 200, [], [], [], new Set(), new Set(), false];
  const fetch = (request: UpstreamRequest, sink: ResponseSink): ReturnType<Predictor['fetch']> => {
    const { origin, path, isForeseen } = request;
    asked.push(request);
    const url = `${origin}${path}`;
    if (isForeseen) foreseen.push(url);
    const { headers, body } = answers.get(url) ?? { headers: [], body: '' };
    sink.started(status, '', headers);
    void sink.data(Buffer.from(body));
    if (breaksOff) sink.failed(new FirstscreenError('E_UPSTREAM', 'The server has broken off.', 'Load the page again.'), true);
    else sink.ended([]);
    return { ...UNHELD, await: (_, priority) => priorities.push(priority) };
  };
  predictor = testPredictor(fetch, {
    ranks, isWorthwhile: () => isWorthwhile, takesPushes: true, isClosed: (origin) => closed.has(origin), savesData: (page) => saving.has(page), connect: (origin) => connected.push(origin), expected: () => remembered,
    recording: { recorder: new RequestRecorder((event) => events.push(event), () => nowMs) }, now: () => nowMs,
  });
});

function ask(url: string, fields: RawHeaders): void {
  const { origin, host, pathname } = new URL(url);
  const headers = ['Host', host, ...AGENT, ...fields];
  predictor.fetch(requestTo(origin, { path: pathname, headers, ...ranks.describe(url, headers) }), sinkOf());
}

function visit(url: string, html: string, fields: RawHeaders = [], answer: RawHeaders = []): void {
  answers.set(url, { headers: ['Content-Type', 'text/html; charset=utf-8', ...answer], body: html });
  ask(url, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8', ...fields]);
}

const SEEN: SeenRequest = { referrer: null, site: null, isCors: false, hasCookies: false };
const expecting = (objects: SeenObject[], document: Partial<SeenDocument> = {}): Expected => ({ ...NOTHING_EXPECTED, objects: objects.map((object) => ({ ...object, isCertain: true })), document: { ...UNSEEN_DOCUMENT, ...document } });
const visitOf = (url: string, kind: SeenObject['kind'], sheet = 'http://a.test/s.css'): ToldVisit => ({ url: 'http://a.test/', asked: 'http://a.test/', objects: [{ url, kind }, { url: sheet, kind: 'style' }], origins: [] });
const askImage = (url: string): void => ask(url, ['Accept', 'image/svg+xml,image/*,*/*;q=0.8', 'Referer', 'http://a.test/']);

it('a server that a page names gets a connection when the browser has asked another one of its site', () => {
  visit('http://a.test/', '<script src=http://js.b.test/1></script><img src=https://img.b.test/2><img src=https://img.a.test/3><img src=http://img.a.test/4>');
  expect([connected, foreseen]).toEqual([['https://img.a.test'], []]);
  askImage('http://js.b.test/1');
  expect([connected, foreseen]).toEqual([['https://img.a.test', 'https://img.b.test'], []]);
});

it('a server of http: gets connections for layout files that a page of its site names, and none for images', () => {
  visit('http://a.test/', '<link rel=stylesheet href=http://static.a.test/1><script src=http://static.a.test/2></script><img src=http://img.a.test/3><link rel=stylesheet href=http://b.test/4>');
  expect([connected, foreseen]).toEqual([['http://static.a.test', 'http://static.a.test'], []]);
});

it('of a page that saves data no image is foreseen that its document names, but layout files are, and what was in view before', () => {
  remembered = expecting([{ url: 'http://a.test/before.png', kind: 'image', bytes: 1, request: SEEN, cached: null, isNamed: false }]);
  saving = new Set(['http://a.test/']);
  const markup = '<link rel=stylesheet href=/s.css><img src=/far.png><link rel=preload as=image href=/preloaded.png>';
  visit('http://a.test/', markup);
  expect(foreseen.toSorted()).toEqual(['http://a.test/before.png', 'http://a.test/s.css']);
  visit('http://b.test/', markup);
  expect(foreseen).toContain('http://b.test/far.png');
});

it('a script of another site that nothing waits for is behind what is in view', () => {
  const fields = ['Sec-CH-UA', '"Chromium";v="156"', 'Sec-Fetch-Dest', 'script', 'Referer', 'https://a.test/'];
  visit('https://a.test/', '');
  for (const [url, own] of [['https://c.test/1', []], ['https://d.test/1', ['Priority', 'u=1']], ['https://d.test/2', []]] as const) ask(url, [...fields, ...own]);
  expect(asked.map(({ origin, path, fetchClass }) => [`${origin}${path}`, fetchClass])).toEqual([
    ['https://a.test/', FetchClass.layout],
    ['https://c.test/1', FetchClass.unplaced],
    ['https://d.test/1', FetchClass.layout],
    ['https://d.test/2', FetchClass.layout],
  ]);
});

it('the browser\'s own priority is told when it asks for what was foreseen', () => {
  visit('http://a.test/', '<script src=1></script>');
  ask('http://a.test/1', ['Accept', '*/*', 'Referer', 'http://a.test/', 'Priority', 'u=2']);
  expect([asked[1]?.expectedPriority, priorities]).toEqual(['u=1', ['u=2']]);
});

describe('what a relay may send of a page before it is asked for', () => {
  const pushes = (): unknown => asked.find(({ path }) => path === '/')?.pushes;

  it('is all that its document names of its own server', () => {
    visit('http://a.test/', '<img src=1>');
    expect(asked.map(({ path, pushes: each }) => [path, each])).toEqual([['/', 'all'], ['/1', undefined]]);
  });

  it('is layout files alone where images are wanted when somebody comes near them', () => {
    saving = new Set(['http://a.test/']);
    visit('http://a.test/', '');
    expect(pushes()).toBe('layout');
  });

  it('is nothing where the browser has some of it', () => {
    const [url, answer] = ['http://a.test/1', ['Cache-Control', 'max-age=600', 'Date', new Date(0).toUTCString()]];
    answers.set(url, { headers: answer, body: '' });
    askImage(url);
    remembered = expecting([{ url, kind: 'image', bytes: 1, request: SEEN, cached: null, isNamed: true }]);
    visit('http://a.test/', '');
    expect(pushes()).toBeUndefined();
  });

  it('is all, whatever the browser has, where its user loads it past the cache', () => {
    answers.set('http://a.test/1', { headers: ['Cache-Control', 'max-age=600', 'Date', new Date(0).toUTCString()], body: '' });
    askImage('http://a.test/1');
    remembered = expecting([{ url: 'http://a.test/1', kind: 'image', bytes: 1, request: SEEN, cached: null, isNamed: true }]);
    visit('http://a.test/', '', ['Cache-Control', 'no-cache', 'Pragma', 'no-cache']);
    expect(pushes()).toBe('all');
  });

  it.each<[string, RawHeaders]>([
    ['in a frame of another site', ['Sec-Fetch-Dest', 'iframe', 'Sec-Fetch-Site', 'cross-site']],
    ['that may be in one', ['Referer', 'http://b.test/']],
  ])('is nothing %s', (_, fields) => {
    visit('http://a.test/', '', fields);
    expect(pushes()).toBeUndefined();
  });

  it('is nothing on a link where the browser is left alone', () => {
    isWorthwhile = false;
    visit('http://a.test/', '');
    expect(pushes()).toBeUndefined();
  });
});

describe('what a relay promises', () => {
  const FIELDS = ['accept', '*/*', 'referer', 'http://a.test/'];
  const wants = (url: string): boolean => predictor.wants({ url, fields: FIELDS });

  it('is wanted where nobody has asked for it', () => expect(wants('http://a.test/1')).toBe(true));

  it('is not where it was asked for already, by the browser or for it', () => {
    visit('http://a.test/', '<script src=1></script>');
    askImage('http://a.test/2');
    expect(['1', '2', '3'].map((path) => wants(`http://a.test/${path}`))).toEqual([false, false, true]);
  });

  it('is wanted of another server of the page\'s site', () => expect(wants('http://static.a.test/1')).toBe(true));

  it('is not of another site than its page, nor of a server that is closed, nor in clear of one that is not asked so', () => {
    closed = new Set(['http://a.test']);
    predictor.upgraded(['s.a.test']);
    expect([wants('http://b.test/1'), wants('http://a.test/1'), wants('http://s.a.test/1')]).toEqual([false, false, false]);
  });

  it('is not of a server whose worker answers', () => {
    ask('http://a.test/worker.js', ['Service-Worker', 'script']);
    expect(wants('http://a.test/1')).toBe(false);
  });
});

describe('a host in clear', () => {
  beforeEach(() => {
    askImage('http://b.test/1');
    visit('http://a.test/', '<img src=http://b.test/2>');
    expect(foreseen).toEqual(['http://b.test/2']);
  });

  it.each([
    ['says so over TLS', 'max-age=60', ['http://b.test/2']],
    ['takes it back', 'max-age=0', ['http://b.test/2', 'http://b.test/3']],
  ])('is foreseen no more when it %s', (_, header, expected) => {
    answers.set('https://b.test/', { headers: ['Strict-Transport-Security', header], body: '' });
    askImage('https://b.test/');
    visit('http://a.test/', '<img src=http://b.test/3>');
    expect(foreseen).toEqual(expected);
  });

  it('is again when the browser asks it in clear again', () => {
    predictor.upgraded(['b.test']);
    visit('http://a.test/', '<img src=http://b.test/3>');
    expect(foreseen).toHaveLength(1);
    askImage('http://b.test/4');
    expect(foreseen).toEqual(['http://b.test/2', 'http://b.test/3']);
  });
});

it('an answer that sets a cookie makes the next one uncertain', () => {
  askImage('http://b.test/1');
  answers.set('http://b.test/2', { headers: ['Set-Cookie', 'c=1'], body: '' });
  askImage('http://b.test/2');
  visit('http://a.test/', '<img src=http://b.test/3>');
  expect(foreseen).toEqual([]);
});

describe('a document whose cookies only the browser knows', () => {
  const FRAME = ['Sec-Fetch-Dest', 'iframe', 'Sec-Fetch-Site', 'cross-site'];
  const SETS = ['Set-Cookie', 'c=1; Path=/'];
  it.each<[string, string, RawHeaders, RawHeaders, number]>([
    ['in a frame of another site', 'https://a.test/', FRAME, [], 0],
    ['in a frame of its own site', 'https://a.test/', ['Sec-Fetch-Dest', 'iframe', 'Sec-Fetch-Site', 'same-site'], SETS, 1],
    ['reached by a link of another site', 'https://a.test/', ['Sec-Fetch-Dest', 'document', 'Sec-Fetch-Site', 'cross-site'], SETS, 1],
    ['in clear, from elsewhere, that sets cookies', 'http://a.test/', ['Referer', 'http://b.test/'], SETS, 0],
    ['in clear, from elsewhere', 'http://a.test/', ['Referer', 'http://b.test/'], [], 1],
    ['in clear, from itself, that sets cookies', 'http://a.test/', ['Referer', 'http://a.test/x'], SETS, 1],
  ])('%s: is read for nothing where they may be kept back', (_, url, fields, answer, count) => {
    visit(url, '<img src=1>', fields, answer);
    expect(foreseen).toHaveLength(count);
  });
});

it.each([['Sec-Purpose', 'prefetch'], ['Sec-Purpose', 'prefetch;prerender'], ['Purpose', 'prefetch']])('what a page needs that the browser fetches ahead comes last: %s: %s', (...fields) => {
  remembered = expecting([{ url: 'http://a.test/before.png', kind: 'image', bytes: 1, request: SEEN, cached: null, isNamed: false }]);
  visit('http://a.test/', '<script src=1></script>', fields);
  expect(foreseen.toSorted()).toEqual(['http://a.test/1', 'http://a.test/before.png']);
  expect(asked.map(({ fetchClass }) => fetchClass)).toEqual([FetchClass.undisplayed, FetchClass.undisplayed, FetchClass.undisplayed]);
});

it('what a service worker may answer is left to it', () => {
  ask('https://a.test/worker.js', ['Service-Worker', 'script', 'Accept', '*/*']);
  visit('https://a.test/', '<img src=1>');
  visit('https://b.test/', '<img src=1>');
  expect(foreseen).toEqual(['https://b.test/1']);
});

it('what nobody claims is counted when the page has loaded, and not foreseen again', () => {
  visit('http://a.test/', '<img src=1><img src=2>');
  expect(foreseen).toEqual(['http://a.test/1', 'http://a.test/2']);
  nowMs += 29_000;
  askImage('http://a.test/1');
  nowMs += 29_000;
  askImage('http://a.test/other');
  expect(predictor.waste).toMatchObject({ foreseen: 2, claimed: 1 });
  nowMs += 31_000;
  visit('http://a.test/', '<img src=2><img src=3>');
  expect(foreseen.slice(2)).toEqual(['http://a.test/3']);
});

describe('a page of https: and the other servers of its site', () => {
  const HINTS = ['sec-ch-ua', '"Chromium";v="156"', 'sec-ch-ua-mobile', '?0', 'sec-ch-ua-platform', '"Linux"'];
  const NAVIGATION = [...HINTS, 'Sec-Fetch-Site', 'none', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document'];
  const open = (html: string): void => visit('https://www.a.test/', html, NAVIGATION);
  const askFor = (url: string, dest: string, site: string, more: RawHeaders = []): void =>
    ask(url, [...HINTS, 'Accept', dest === 'style' ? 'text/css,*/*;q=0.1' : dest === 'image' ? 'image/svg+xml,image/*,*/*;q=0.8' : '*/*', 'Sec-Fetch-Site', site, 'Sec-Fetch-Mode', dest === 'font' ? 'cors' : 'no-cors', 'Sec-Fetch-Dest', dest, 'Referer', 'https://www.a.test/', ...more]);
  const fieldOf = (path: string, name: string): string | null => valueOf(asked.find((request) => request.path === path)?.headers ?? [], name);

  it('are asked ahead as the browser has said that they belong together, once it has asked one of them', () => {
    open('<img src=https://img.a.test/1><img src=https://img.a.test/2>');
    expect(foreseen).toEqual([]);
    askFor('https://img.a.test/1', 'image', 'same-site', ['Cookie', 'shared=1']);
    expect(foreseen).toEqual(['https://img.a.test/2']);
    expect([fieldOf('/2', 'sec-fetch-site'), fieldOf('/2', 'cookie')]).toEqual(['same-site', 'shared=1']);
    askFor('https://img.a.test/2', 'image', 'same-site', ['Cookie', 'shared=1']);
    expect(asked.filter(({ path }) => path === '/2')).toHaveLength(1);
  });

  it('are not, with cookies, where they are of another site', () => {
    open('<img src=https://img.a.test/1><img src=https://img.a.test/2>');
    askFor('https://img.a.test/1', 'image', 'cross-site', ['Cookie', 'other=1']);
    expect(foreseen).toEqual([]);
  });

  it('give fonts ahead that earlier visits needed, for the style sheet of the same server, when the page has asked for that', async () => {
    remembered = expecting([{ url: 'https://cdn.a.test/f.woff2', kind: 'font', bytes: 10, cached: null, isNamed: false, request: { referrer: 'https://cdn.a.test/s.css', site: 'same-site', isCors: true, hasCookies: true } }]);
    open('<link rel=stylesheet href=https://cdn.a.test/s.css>');
    expect(foreseen).toEqual([]);
    askFor('https://cdn.a.test/s.css', 'style', 'same-site');
    expect(foreseen).toEqual(['https://cdn.a.test/f.woff2']);
    expect(fieldOf('/f.woff2', 'referer')).toBe('https://cdn.a.test/s.css');
    ask('https://cdn.a.test/f.woff2', [...HINTS, 'Origin', 'https://www.a.test', 'Accept', '*/*', 'Sec-Fetch-Site', 'same-site', 'Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Dest', 'font', 'Referer', 'https://cdn.a.test/s.css']);
    expect(asked.filter(({ path }) => path === '/f.woff2')).toHaveLength(1);
    await expect.poll(() => predictor.visits.withObserved(visitOf('https://cdn.a.test/f.woff2', 'font', 'https://cdn.a.test/s.css'), []).objects).toMatchObject([{ request: { referrer: 'https://cdn.a.test/s.css', site: 'same-site', isCors: true, hasCookies: false } }]);
  });

  it('come after the document itself, with the sizes that they had', () => {
    remembered = expecting([{ url: 'https://www.a.test/s.css', kind: 'style', bytes: 14_321, cached: null, isNamed: false, request: SEEN }]);
    open('text');
    expect(asked.map(({ path, bytes }) => [path, path === '/' ? null : bytes])).toEqual([['/', null], ['/s.css', 14_321]]);
  });
});

it('of a server that is kept closed nothing is foreseen, neither what a page names there nor what is remembered', () => {
  closed.add('http://b.test');
  askImage('http://b.test/1');
  remembered = expecting(['http://b.test/2', 'http://c.test/3'].map((url): SeenObject => ({ url, kind: 'image', bytes: 9, cached: null, isNamed: false, request: { ...SEEN, site: 'cross-site' } })));
  visit('http://a.test/', '<img src=http://b.test/4><img src=/5>');
  expect(foreseen.sort()).toEqual(['http://a.test/5', 'http://c.test/3']);
});

it('of a server that is kept closed nothing is remembered, also what was seen of it before', () => {
  askImage('http://b.test/1');
  const [{ url, kind } = { url: '', kind: 'image' as const }] = visitOf('http://b.test/1', 'image').objects;
  const known: SeenObject = { url, kind, bytes: 12, cached: null, isNamed: false, request: SEEN };
  expect(predictor.visits.withObserved(visitOf(url, kind), [known]).objects).toHaveLength(1);
  closed.add('http://b.test');
  expect(predictor.visits.withObserved(visitOf(url, kind), [known]).objects).toEqual([]);
});

it('knows of a document that was broken off, until it has come', () => {
  const isCutOff = (): boolean => predictor.visits.isCutOff('http://a.test/');
  expect(isCutOff()).toBe(false);
  breaksOff = true;
  visit('http://a.test/', 'text');
  expect(isCutOff()).toBe(true);
  askImage('http://a.test/1');
  expect(predictor.visits.isCutOff('http://a.test/1')).toBe(false);
  breaksOff = false;
  visit('http://a.test/', 'text');
  expect(isCutOff()).toBe(false);
});

it('what has come is remembered by the size that it had', () => {
  answers.set('http://b.test/1', { headers: [], body: 'twelve bytes' });
  askImage('http://b.test/1');
  expect(predictor.visits.withObserved(visitOf('http://b.test/1', 'image'), []).objects).toEqual([{ url: 'http://b.test/1', kind: 'image', bytes: 12, cached: null, isNamed: false, request: SEEN }]);
});

it('what a page uses as a style sheet and as a script is remembered as it was asked for first, and asked for once', () => {
  const url = 'http://a.test/both.php';
  const askStyle = (): void => ask(url, ['Accept', 'text/css,*/*;q=0.1', 'Referer', 'http://a.test/']);
  askStyle();
  const { objects } = predictor.visits.withObserved({ url: 'http://a.test/', asked: 'http://a.test/', objects: [{ url, kind: 'script' }], origins: [] }, []);
  expect(objects).toMatchObject([{ kind: 'style' }]);
  nowMs += 31_000;
  remembered = expecting([...objects]);
  visit('http://a.test/', 'text');
  askStyle();
  expect(asked.filter(({ path }) => path === '/both.php')).toHaveLength(2);
});

it('what a page needs whose document sets cookies is asked for with them, when it has told them', () => {
  const image: SeenObject = { url: 'http://a.test/1', kind: 'image', bytes: 0, cached: null, isNamed: false, request: SEEN };
  visit('http://a.test/', 'text', ['Referer', 'http://a.test/x'], ['Set-Cookie', 'c=1']);
  expect(predictor.visits.withObserved(visitOf(image.url, 'image'), []).document).toEqual({ bytes: 4, setsCookies: true, referrerPolicy: null });
  remembered = expecting([image], { setsCookies: true });
  visit('http://a.test/', 'text', ['Referer', 'http://a.test/x'], ['Set-Cookie', 'c=2; Path=/']);
  expect(foreseen).toEqual([image.url]);
  expect(valueOf(asked.at(-1)?.headers ?? [], 'cookie')).toBe('c=2');
  expect(predictor.visits.withObserved(visitOf('http://other.test/1', 'image'), []).objects).toEqual([]);
});

it('what a page needs is asked for by the referrer policy that its document had the last time, and then by its own', () => {
  const page = 'http://a.test/dir/page';
  const needed = [100, 100_000].map((bytes): SeenObject => ({ url: `http://b.test/${bytes}`, kind: 'style', bytes, cached: null, isNamed: false, request: SEEN }));
  visit(page, 'text', [], ['Referrer-Policy', 'unsafe-url']);
  const { document } = predictor.visits.withObserved({ url: page, asked: page, objects: [], origins: [] }, []);
  remembered = expecting(needed, document ?? {});
  visit(page, 'text', [], ['Referrer-Policy', 'origin']);
  expect(new Map(asked.slice(2).map(({ path, headers }) => [path, valueOf(headers, 'referer')]))).toEqual(new Map([['/100', page], ['/100000', 'http://a.test/']]));
});

it('a style sheet that says not for whom it is asked, but for which origin, is given to its page', () => {
  const url = 'http://cdn.test/s.css';
  remembered = expecting([{ url, kind: 'style', bytes: 100, cached: null, isNamed: false, request: { referrer: '', site: null, isCors: true, hasCookies: false } }]);
  visit('http://a.test/', 'text');
  expect(foreseen).toEqual([url]);
  expect(valueOf(asked.at(-1)?.headers ?? [], 'referer')).toBeNull();
  ask(url, ['Origin', 'http://a.test', 'Accept', 'text/css,*/*;q=0.1']);
  expect(asked.filter(({ path }) => path === '/s.css')).toHaveLength(1);
});

describe('what every earlier visit has asked another server for without cookies', () => {
  const REMEMBERED: SeenObject = { url: 'http://b.test/1', kind: 'image', bytes: 100, cached: null, isNamed: false, request: SEEN };
  it.each<[string, Expected, number]>([
    ['is asked for beside the document', expecting([REMEMBERED]), 1],
    ['but not what a visit could do without', { ...expecting([]), objects: [{ ...REMEMBERED, isCertain: false }] }, 0],
    ['nor what had cookies', expecting([{ ...REMEMBERED, request: { ...SEEN, hasCookies: true }, isNamed: false }]), 0],
    ['nor of another sort of address than the page', expecting([{ ...REMEMBERED, url: 'https://b.test/1' }]), 0],
  ])('%s', (_, expected, count) => {
    remembered = expected;
    visit('http://a.test/', 'text');
    expect(foreseen).toHaveLength(count);
  });

  it.each<[string, string]>([
    ['a host', 'b.test'],
    ['a host above it, with what is below', 'test'],
  ])('is not asked for in clear of what the browser has turned to https:, by %s', (_, host) => {
    answers.set(`https://${host}/`, { headers: ['Strict-Transport-Security', 'max-age=60; includeSubDomains'], body: '' });
    ask(`https://${host}/`, []);
    remembered = expecting([REMEMBERED]);
    visit('http://a.test/', 'text');
    expect(foreseen).toEqual([]);
  });
});

it('tells a recorder what names each object, and what waits for the browser to ask its origin', () => {
  remembered = expecting([{ url: 'http://a.test/known.jpg', kind: 'image', bytes: 40_000, cached: null, isNamed: false, request: SEEN }]);
  answers.set('http://a.test/a.css', { headers: ['Content-Type', 'text/css'], body: '@import "/more.css";' });
  visit('http://a.test/', '<link rel=stylesheet href=/a.css><img src=http://b.test/2>');
  const named = (): (string | undefined)[][] => events.flatMap((event) => (event.type === 'named' ? [[event.url, event.by]] : event.type === 'deferred' ? [[event.url]] : []));
  expect(named()).toEqual([['http://a.test/a.css', 'document'], ['http://a.test/more.css', 'styleSheet'], ['http://b.test/2', 'document'], ['http://b.test/2'], ['http://a.test/known.jpg', 'memory']]);
  askImage('http://b.test/1');
  expect(named().at(-1)).toEqual(['http://b.test/2', 'document']);
  expect(foreseen).toContain('http://b.test/2');
});

it('images that are remembered come when the document has come, layout files before what it names', () => {
  const object = (name: string, kind: SeenObject['kind']): SeenObject => ({ url: `http://a.test/${name}`, kind, bytes: 40_000, cached: null, isNamed: false, request: SEEN });
  remembered = expecting([object('known.css', 'style'), object('known.jpg', 'image')]);
  visit('http://a.test/', '<script src=/named.js></script>');
  expect(foreseen).toEqual(['http://a.test/known.css', 'http://a.test/named.js', 'http://a.test/known.jpg']);
});

it('a visit asks no server whose objects the browser has, and may use without asking', () => {
  const fresh = ['Cache-Control', 'max-age=60'];
  for (const n of [1, 2]) answers.set(`http://b.test/${n}`, { headers: fresh, body: '' });
  const expected = expecting([1, 2].map((n): SeenObject => ({ url: `http://b.test/${n}`, kind: 'image', bytes: 1, cached: null, isNamed: false, request: SEEN })));
  const willAsk = (origin: string): boolean => predictor.willAsk('http://a.test/', origin, expected);
  askImage('http://b.test/1');
  expect(willAsk('http://b.test')).toBe(true);
  askImage('http://b.test/2');
  expect([willAsk('http://b.test'), willAsk('http://a.test'), willAsk('http://c.test')]).toEqual([false, true, true]);
  nowMs += 61_000;
  expect(willAsk('http://b.test')).toBe(true);
});

describe('a page that the browser has seen a moment ago', () => {
  const [FORCED, OWN] = [['Pragma', 'no-cache', 'Cache-Control', 'no-cache'], ['Accept', 'text/css,*/*;q=0.1', 'Referer', 'http://a.test/']];
  const load = (fields: RawHeaders = []): string[] => {
    foreseen = [];
    nowMs += 1_000;
    visit('http://a.test/', '<link rel=stylesheet href=1><link rel=stylesheet href=2>', fields);
    for (const name of [1, 2]) ask(`http://a.test/${name}`, [...OWN, ...fields]);
    return foreseen;
  };
  beforeEach(() => {
    answers.set('http://a.test/1', { headers: ['Cache-Control', 'max-age=60'], body: '' });
    expect(load()).toEqual(['http://a.test/1', 'http://a.test/2']);
  });

  it('needs nothing ahead, as the browser has its objects', () => expect(load()).toEqual([]));

  it('needs all of it anew past the cache, once, as on a first visit', () => {
    asked = [];
    expect(load(FORCED)).toEqual(['http://a.test/1', 'http://a.test/2']);
    expect(asked.map(({ path }) => path)).toEqual(['/', '/1', '/2']);
    expect(asked.every(({ headers }) => valueOf(headers, 'cache-control') === 'no-cache')).toBe(true);
    expect(predictor.waste).toMatchObject({ foreseen: 4, claimed: 4 });
  });

  it('past the cache needs what is remembered, too, but nothing that the browser was quicker with', () => {
    remembered = expecting(['http://a.test/1', 'http://a.test/3'].map((url): SeenObject => ({ url, kind: 'style', bytes: 10, cached: { keptDay: 30_000, freshDay: 30_000, profile: 'p' }, isNamed: false, request: SEEN })));
    expect(load(FORCED)).toEqual(['http://a.test/1', 'http://a.test/2', 'http://a.test/3']);
    foreseen = [];
    visit('http://a.test/page', '<link rel=stylesheet href=/2>', FORCED);
    expect(foreseen).toEqual([]);
  });
});

it('what the browser has asked for is not asked for again when its page takes long', async () => {
  remembered = expecting([{ url: 'http://a.test/1', kind: 'image', bytes: 1, cached: null, isNamed: false, request: SEEN }], { bytes: 30_000 });
  const sinks: ResponseSink[] = [];
  predictor = testPredictor((request, sink) => {
    if (request.isForeseen) foreseen.push(request.path);
    sinks.push(sink);
    return UNHELD;
  }, { expected: () => remembered, now: () => nowMs });
  visit('http://a.test/', '');
  askImage('http://a.test/1');
  nowMs += 40_000;
  // lru-cache reads its clock once a millisecond
  await sleep(2);
  sinks[0]?.started(200, '', []);
  sinks[0]?.ended([]);
  expect(foreseen).toEqual([]);
});

it('a server that was asked for a page is not any more when the next load is to be like a first visit', () => {
  askImage('http://b.test/1');
  predictor.forgetAsked('http://other.test');
  visit('http://a.test/', '<img src=http://b.test/2>');
  expect(foreseen).toEqual(['http://b.test/2']);
  predictor.forgetAsked('http://a.test');
  visit('http://a.test/', '<img src=http://b.test/3>');
  expect(foreseen).toEqual(['http://b.test/2']);
});

it('of a document that is kept as a file nothing is foreseen: nobody shows what it names', () => {
  remembered = expecting([{ url: 'http://a.test/known.jpg', kind: 'image', bytes: 40_000, cached: null, isNamed: false, request: SEEN }]);
  visit('http://a.test/', '<img src=/logout>', [], ['Content-Disposition', 'attachment; filename=mail.html']);
  expect(foreseen).toEqual([]);
});

it('of a page that is not there nothing is foreseen', () => {
  remembered = expecting([{ url: 'http://a.test/known.jpg', kind: 'image', bytes: 40_000, cached: null, isNamed: false, request: SEEN }]);
  answers.set('http://a.test/', { headers: ['Content-Type', 'text/html'], body: 'gone' });
  status = 404;
  ask('http://a.test/', ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8']);
  expect(foreseen).toEqual([]);
});

it.each<[string, () => Partial<PredictorOptions>]>([
  ['of what is remembered an address is none', () => ({ expected: () => expecting([{ url: 'http://a.test:99999/1', kind: 'image', bytes: 1, cached: null, isNamed: false, request: SEEN }]) })],
  ['its document can not be read', () => ({
    readDocument: () => {
      throw new TypeError('a defect');
    },
  })],
])('a page comes although %s', (_, options) => {
  const [passed, failures]: [string[], unknown[]] = [[], []];
  const answer: PredictorOptions['fetch'] = (_request, sink) => {
    sink.started(200, '', []);
    sink.ended([]);
    return UNHELD;
  };
  const carefully = (foresee: () => void): void => {
    try {
      foresee();
    } catch (error) {
      failures.push(error);
    }
  };
  const headers = ['Host', 'a.test', ...AGENT, 'Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8'];
  testPredictor(answer, { carefully, ...options() }).fetch(requestTo('http://a.test', { headers }), sinkOf({ started: () => passed.push('started'), ended: () => passed.push('ended') }));
  expect([passed, failures]).toEqual([['started', 'ended'], [expect.any(TypeError)]]);
});
