import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { PageMemory } from '../../../shared/src/memory/pageMemory.ts';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { ContentPolicies } from '../../../shared/src/node/reading/contentPolicy.ts';
import { testPredictor, UNHELD } from '../testing/testPredictor.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
import type { ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import type { Predictor } from './predictor.ts';

const PAGE = 'http://a.test/';
const AGENT = ['Host', 'a.test', 'User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Accept-Encoding', 'gzip'];
/** What answers say of their lifetimes: for a month, with a validator that is asked for each time, and not at all. */
const LIFETIMES: Readonly<Record<string, RawHeaders>> = {
  'http://a.test/long.css': ['Cache-Control', 'max-age=2592000'],
  'http://a.test/validated.jpg': ['Cache-Control', 'no-cache', 'ETag', '"1"'],
  'http://a.test/never.js': ['Cache-Control', 'no-store'],
};
const OBJECTS: readonly NeededObject[] = [{ url: 'http://a.test/long.css', kind: 'style' }, { url: 'http://a.test/validated.jpg', kind: 'image' }, { url: 'http://a.test/never.js', kind: 'script' }];

let memory: PageMemory;
let predictor: Predictor;
let nowMs: number;
/** Names of what is foreseen, in one visit. */
let foreseen: string[];
/** URLs that the browser's own cache has. */
let cached: Set<string>;
let html: string;
/** The document has begun to come. */
let documentBegins: () => void;

beforeEach(() => {
  [memory, nowMs, cached, html, documentBegins] = [PageMemory.empty(), Date.parse('2026-11-01T12:00:00Z'), new Set(), 'text', () => undefined];
  restart();
});

/** Browser and helper: of what they knew there is the file of the memory, and the browser's cache. @param profile of the browser */
function restart(profile = 'mine'): void {
  memory = PageMemory.restore(JSON.parse(JSON.stringify(memory.stored()))) ?? PageMemory.empty();
  const beganMs = nowMs;
  predictor = testPredictor(answer, { expected: (url) => memory.expected(url), profile, now: () => nowMs - beganMs + 1, wallNow: () => nowMs });
}

function answer({ origin, path, headers, isForeseen }: UpstreamRequest, sink: ResponseSink): ReturnType<Predictor['fetch']> {
  const url = `${origin}${path}`;
  if (isForeseen) foreseen.push(path.slice(1));
  const isUnchanged = valueOf(headers, 'if-none-match') !== null;
  sink.started(isUnchanged ? 304 : 200, '', LIFETIMES[url] ?? ['Content-Type', 'text/html; charset=utf-8']);
  if (!isUnchanged) void sink.data(Buffer.from(url === PAGE ? html : 'ten bytes.'));
  if (url === PAGE) documentBegins();
  sink.ended([]);
  return UNHELD;
}

function ask(url: string, fields: RawHeaders): void {
  predictor.fetch(requestTo('http://a.test', { path: url.slice('http://a.test'.length), headers: [...AGENT, ...fields] }), sinkOf());
}

/** The browser asks as its cache lets it, and the page tells what it needed. @returns what was foreseen */
function visit(needed = OBJECTS): string[] {
  foreseen = [];
  ask(PAGE, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8']);
  for (const { url, kind } of needed) {
    const isValidated = valueOf(LIFETIMES[url] ?? [], 'etag') !== null;
    if (cached.has(url) && !isValidated) continue;
    const accept = kind === 'style' ? 'text/css,*/*;q=0.1' : kind === 'image' ? 'image/svg+xml,image/*,*/*;q=0.8' : '*/*';
    ask(url, ['Accept', accept, 'Referer', PAGE, ...(cached.has(url) ? ['If-None-Match', '"1"'] : [])]);
    if (valueOf(LIFETIMES[url] ?? [], 'cache-control') !== 'no-store') cached.add(url);
  }
  memory.visited({ ...predictor.visits.withObserved({ url: PAGE, asked: PAGE, objects: needed, origins: [] }, memory.known(PAGE).objects), addresses: [] }, nowMs);
  return foreseen.sort();
}

/** Whether the next visits are expected to need it, and how large it is thought to be. */
const expectedBytes = (): Record<string, number> => Object.fromEntries(memory.expected(PAGE).objects.map(({ url, bytes }) => [url.slice(PAGE.length), bytes]));

describe('a warm visit after browser and helper were started again', () => {
  it.each([
    ['the memory remembers', 'text'],
    ['the page names', '<link rel=stylesheet href=long.css><img src=validated.jpg><script src=never.js></script>'],
  ])('foresees of what %s only what the browser does not have', (_, body) => {
    visit();
    restart();
    html = body;
    expect(visit()).toEqual(['never.js']);
  });

  it('foresees for another browser, whose cache is another one, all', () => {
    visit();
    cached.clear();
    restart('another');
    expect(visit()).toEqual(['long.css', 'never.js', 'validated.jpg']);
  });

  it('asks no server for what the browser has, and may use without asking', () => {
    visit();
    restart();
    const { objects } = memory.expected(PAGE);
    const willAsk = (name: string): boolean => predictor.willAsk('http://b.test/', 'http://a.test', { ...memory.expected(PAGE), objects: objects.filter(({ url }) => url.endsWith(name)) });
    predictor.remember('http://b.test/', objects);
    expect(['long.css', 'validated.jpg', 'never.js'].map(willAsk)).toEqual([false, true, true]);
  });

  it('prepares of a next page only what the browser does not have', () => {
    visit();
    restart();
    predictor.remember(PAGE, memory.expected(PAGE).objects);
    const page = { navigation: { url: PAGE, request: AGENT, answer: [] }, policies: new ContentPolicies(PAGE, []), load: 0, startMs: 0, bypassesCache: false, unnamed: new Set<string>() };
    const requests = predictor.requestsFor(page, memory.expected(PAGE).objects.map(({ url, kind, bytes }) => ({ url, kind, bytes, mode: { credentials: 'include', cors: false }, referrer: PAGE, referrerPolicy: null, index: null, fetchClass: 0, expectedPriority: null, before: null, namedBy: 'memory' })));
    expect(requests.map(({ path }) => path)).toEqual(['/never.js']);
  });

  it('foresees again what the browser has no more when its day has come, which is later for what has not changed', () => {
    const beganMs = nowMs;
    visit();
    const foreseenByDay = [6, 12, 29, 30].map((days) => {
      nowMs = beganMs + days * DAY_MS;
      restart();
      return visit();
    });
    expect(foreseenByDay).toEqual([['never.js'], ['never.js'], ['never.js', 'validated.jpg'], ['long.css', 'never.js']]);
  });

  it.each([1, 2, 5])('keeps what the page needs, with its size, over %d more', (visits) => {
    visit();
    for (let n = 0; n < visits; n += 1) {
      restart();
      nowMs += DAY_MS / 2;
      visit();
    }
    expect(expectedBytes()).toEqual({ 'long.css': 10, 'validated.jpg': 10, 'never.js': 10 });
    expect(memory.expected(PAGE).document.bytes).toBe(4);
  });

  it('forgets what the page does not need any more, though the browser has it', () => {
    visit();
    restart();
    for (let n = 0; n < 3; n += 1) visit(OBJECTS.slice(1));
    expect(Object.keys(expectedBytes())).not.toContain('long.css');
  });

  it('of what has come for another page keeps what this one is known to need', () => {
    visit();
    restart();
    ask('http://a.test/long.css', ['Accept', 'text/css,*/*;q=0.1', 'Referer', 'http://a.test/other']);
    for (let n = 0; n < 3; n += 1) visit();
    expect(Object.keys(expectedBytes())).toContain('long.css');
  });
});

describe('a visit after the browser\'s cache was emptied', () => {
  beforeEach(() => {
    visit();
    restart();
    cached.clear();
  });

  it('foresees nothing of what it is taken to have; the next one goes by what the browser has got', () => {
    nowMs += 2 * DAY_MS;
    expect(visit()).toEqual(['never.js']);
    expect(memory.known(PAGE).objects.find(({ kind }) => kind === 'image')?.cached?.keptDay).toBe(Math.floor(nowMs / DAY_MS) + 7);
  });

  it('foresees what is left when the first object shows it', () => {
    documentBegins = () => ask('http://a.test/long.css', ['Accept', 'text/css,*/*;q=0.1', 'Referer', PAGE]);
    expect(visit(OBJECTS.slice(1))).toEqual(['never.js', 'validated.jpg']);
  });
});

it('of a page that is new only what was seen is remembered', () => {
  expect(predictor.visits.withObserved({ url: PAGE, asked: PAGE, objects: OBJECTS, origins: [] }, memory.known(PAGE).objects)).toMatchObject({ objects: [], document: null });
});
