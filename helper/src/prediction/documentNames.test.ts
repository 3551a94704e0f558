import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import type { ToldVisit } from '../../../shared/src/memory/neededObject.ts';
import { PageMemory } from '../../../shared/src/memory/pageMemory.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { testPredictor, UNHELD } from '../testing/testPredictor.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import { DocumentNames } from './documentNames.ts';
import { ObjectRanks } from './objectRanks.ts';
import type { Predictor } from './predictor.ts';

const PAGE = 'http://a.test/';
const IMAGE = 'http://a.test/x.jpg';
const NAMING = '<img src=/x.jpg>';
const HTML = ['Content-Type', 'text/html; charset=utf-8'];
const CODED = [...HTML, 'Content-Encoding', 'gzip'];
const ranks = new ObjectRanks();

let memory: PageMemory;
/** Where the answers to requests are put, by URL, in the order of asking. */
let servers: Map<string, ResponseSink>;
let cancelled: string[];
let pays: boolean;
let bdpBytes: number;
let predictor: Predictor;

beforeEach(() => {
  [memory, bdpBytes] = [PageMemory.empty(), 30_000];
});

/** A helper that knows what the memory knows. */
function start(): void {
  [servers, cancelled, pays] = [new Map<string, ResponseSink>(), [], true];
  const fetch = ({ origin, path }: UpstreamRequest, sink: ResponseSink): Fetch => {
    const url = `${origin}${path}`;
    servers.set(url, sink);
    return { ...UNHELD, cancel: () => cancelled.push(url) };
  };
  predictor = testPredictor(fetch, { ranks, isWorthwhile: () => pays, expected: (url) => memory.expected(url), bdpBytes: () => bdpBytes });
}

function ask(url: string, fields: RawHeaders): void {
  const { origin, host, pathname: path } = new URL(url);
  const headers = ['Host', host, 'User-Agent', 'Chrome/156.0.0.0', ...fields];
  predictor.fetch(requestTo(origin, { path, headers, ...ranks.describe(url, headers) }), sinkOf());
}
const askImage = (url: string, more: RawHeaders = []): void => ask(url, ['Accept', 'image/svg+xml,image/*,*/*;q=0.8', 'Referer', PAGE, ...more]);
const navigate = (url = PAGE): void => ask(url, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8']);

function answer(url: string, body: string | Buffer, headers: RawHeaders = HTML, status = 200): void {
  const sink = servers.get(url)!;
  sink.started(status, '', headers);
  void sink.data(Buffer.from(body));
  sink.ended([]);
}

/** A visit on which nothing is foreseen; the page needs these images, whatever brings them. */
function visitBefore(html: string, images: readonly string[] = [IMAGE], cookie: RawHeaders = []): void {
  start();
  pays = false;
  navigate();
  answer(PAGE, html);
  for (const image of images) {
    askImage(image, cookie);
    answer(image, 'an image', []);
  }
  const told: ToldVisit = { url: PAGE, asked: PAGE, objects: images.map((url) => ({ url, kind: 'image' })), origins: [] };
  memory.visited({ ...predictor.visits.withObserved(told, memory.known(PAGE).objects), addresses: [] }, 0);
}

/** A later visit, at which the image is foreseen. */
function visitAgain(): void {
  start();
  navigate();
  expect([...servers.keys()]).toEqual([PAGE, IMAGE]);
}

it('what the document no longer names is stopped when it has come, and what it still names is not', () => {
  visitBefore(NAMING);
  visitAgain();
  answer(PAGE, 'text');
  expect(cancelled).toEqual([IMAGE]);
  visitAgain();
  answer(PAGE, NAMING);
  expect(cancelled).toEqual([]);
});

it('nothing is stopped before the document has come whole', () => {
  visitBefore(NAMING);
  visitAgain();
  const sink = servers.get(PAGE)!;
  sink.started(200, '', HTML);
  void sink.data(Buffer.from('text'));
  expect(cancelled).toEqual([]);
  sink.failed(new FirstscreenError('E_UPSTREAM', 'cut off', 'none'), true);
  expect(cancelled).toEqual([]);
});

it('what a script or a style sheet brought goes on', () => {
  visitBefore('<script>bring()</script>');
  visitAgain();
  answer(PAGE, 'text');
  expect(cancelled).toEqual([]);
});

it.each<[string, string | Buffer, RawHeaders, number]>([
  ['has not changed', '', HTML, 304],
  ['is not there', 'gone', HTML, 404],
  ['is no page', 'text', ['Content-Type', 'text/plain'], 200],
  ['has a coding that is not known', 'text', [...HTML, 'Content-Encoding', 'compress'], 200],
  ['is under a policy that can not be judged', 'text', [...HTML, 'Content-Security-Policy', 'sandbox'], 200],
  ['says so itself', '<meta http-equiv=Content-Security-Policy content=sandbox>', HTML, 200],
  ['has what the reader does not read', '<frameset>', HTML, 200],
])('of a document that %s nothing is judged', (_, body, headers, status) => {
  visitBefore(NAMING);
  visitAgain();
  answer(PAGE, body, headers, status);
  expect(cancelled).toEqual([]);
});

it('what such a document needed was not named, as far as is known', () => {
  visitBefore(`${NAMING}<frameset>`);
  visitAgain();
  answer(PAGE, 'text');
  expect(cancelled).toEqual([]);
});

it('what a document names is known until it comes anew', () => {
  const documents = new DocumentNames();
  const isNamed = (): boolean | undefined => documents.hasNamed(PAGE, IMAGE);
  documents.reader(PAGE, []).read([{ url: IMAGE }], true);
  expect(isNamed()).toBe(true);
  const again = documents.reader(PAGE, []);
  // it has not changed, or has not come yet
  expect(isNamed()).toBe(true);
  again.read([{ url: IMAGE }], false);
  expect(isNamed()).toBeUndefined();
  again.read([], true);
  expect(isNamed()).toBe(true);
});

it('what the browser has asked for is its own', () => {
  visitBefore(NAMING);
  visitAgain();
  askImage(IMAGE);
  answer(PAGE, 'text');
  expect(cancelled).toEqual([]);
});

it('what another page has named meanwhile goes on', () => {
  visitBefore(NAMING);
  visitAgain();
  navigate('http://a.test/other');
  answer('http://a.test/other', NAMING);
  answer(PAGE, 'text');
  expect(cancelled).toEqual([]);
});

it.each([
  ['as it is', HTML, (html: string) => Buffer.from(html)],
  ['coded', CODED, (html: string) => gzipSync(html)],
])('what the document, which comes %s, no longer names is not asked for behind it, and what a script brought is', async (_, headers, code) => {
  const brought = 'http://a.test/brought.jpg';
  bdpBytes = 0;
  visitBefore(NAMING, [IMAGE, brought]);
  start();
  navigate();
  answer(PAGE, code('text'), headers);
  await expect.poll(() => [...servers.keys()]).toContain(brought);
  expect([...servers.keys()]).toEqual([PAGE, brought]);
});

it('what is coded and can not be decoded to its end is judged by nobody, and what is remembered is asked for', async () => {
  bdpBytes = 0;
  visitBefore(NAMING);
  start();
  navigate();
  answer(PAGE, gzipSync('text').subarray(0, 12), CODED);
  await expect.poll(() => servers.has(IMAGE)).toBe(true);
});

it.each([
  ['no longer names it', 'text', false],
  ['names it', '<img src=http://b.test/x.jpg>', true],
])('what waits for the browser to ask its server is asked for only if the document %s', (_, html, isAsked) => {
  const waiting = 'http://b.test/x.jpg';
  visitBefore('<img src=http://b.test/x.jpg>', [waiting], ['Cookie', 'c=1']);
  start();
  navigate();
  answer(PAGE, html);
  askImage('http://b.test/other.jpg');
  expect(servers.has(waiting)).toBe(isAsked);
});

it('what two visits have not needed is forgotten', () => {
  visitBefore(NAMING);
  visitBefore('text', []);
  visitAgain();
  visitBefore('text', []);
  start();
  navigate();
  expect([...servers.keys()]).toEqual([PAGE]);
});
