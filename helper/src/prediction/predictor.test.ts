import { tmpdir } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';
import { RequestRecorder } from '../../../shared/src/requests/requestRecorder.ts';
import type { RawHeaders } from '../http/rawHeaders.ts';
import { readDocument, readSheet } from '../reading/bodyReaders.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import type { ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import { ObjectRanks } from './objectRanks.ts';
import { Predictor } from './predictor.ts';

const AGENT = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Accept-Encoding', 'gzip'];
const SINK: ResponseSink = { informed: () => undefined, started: () => undefined, data: () => null, ended: () => undefined, failed: () => undefined };

let answers: Map<string, { readonly headers: RawHeaders; readonly body: string }>;
let foreseen: string[];
let nowMs: number;
let remembered: NeededObject[];
let events: RequestEvent[];
let predictor: Predictor;
const ranks = new ObjectRanks();

beforeEach(() => {
  answers = new Map();
  [foreseen, nowMs, remembered, events] = [[], 1, [], []];
  const fetch = ({ origin, path, isForeseen }: UpstreamRequest, sink: ResponseSink): ReturnType<Predictor['fetch']> => {
    const url = `${origin}${path}`;
    if (isForeseen) foreseen.push(url);
    const { headers, body } = answers.get(url) ?? { headers: [], body: '' };
    sink.started(200, 'OK', headers);
    void sink.data(Buffer.from(body));
    sink.ended([]);
    return { rank: () => undefined, await: () => undefined, cancel: () => undefined };
  };
  predictor = new Predictor({ fetch, ranks, isWorthwhile: () => true, navigated: () => undefined, expected: () => remembered, recorder: new RequestRecorder((event) => events.push(event), () => nowMs), readDocument, readSheet, spool: spoolOf(tmpdir()), readLater: (read) => read(), now: () => nowMs, wallNow: () => 0 });
});

function ask(url: string, fields: RawHeaders): void {
  const { origin, host, pathname } = new URL(url);
  const headers = ['Host', host, ...AGENT, ...fields];
  predictor.fetch({ method: 'GET', origin, path: pathname, headers, body: null, browser: null, isForeseen: false, ...ranks.describe(url, headers) }, SINK);
}

function visit(url: string, html: string, fields: RawHeaders = [], answer: RawHeaders = []): void {
  answers.set(url, { headers: ['Content-Type', 'text/html; charset=utf-8', ...answer], body: html });
  ask(url, ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8', ...fields]);
}

const askImage = (url: string): void => ask(url, ['Accept', 'image/svg+xml,image/*,*/*;q=0.8', 'Referer', 'http://a.test/']);

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

it('tells a recorder what names each object, and what waits for the browser to ask its origin', () => {
  remembered = [{ url: 'http://a.test/known.jpg', kind: 'image', bytes: 1 }];
  answers.set('http://a.test/a.css', { headers: ['Content-Type', 'text/css'], body: '@import "/more.css";' });
  visit('http://a.test/', '<link rel=stylesheet href=/a.css><img src=http://b.test/2>');
  const named = (): (string | undefined)[][] => events.flatMap((event) => (event.type === 'named' ? [[event.url, event.by]] : event.type === 'deferred' ? [[event.url]] : []));
  expect(named()).toEqual([['http://a.test/known.jpg', 'memory'], ['http://a.test/a.css', 'document'], ['http://a.test/more.css', 'styleSheet'], ['http://b.test/2', 'document'], ['http://b.test/2']]);
  askImage('http://b.test/1');
  expect(named().at(-1)).toEqual(['http://b.test/2', 'document']);
  expect(foreseen).toContain('http://b.test/2');
});
