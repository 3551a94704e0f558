import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { testPredictor, UNHELD } from '../testing/testPredictor.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
import type { ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import type { Predictor } from './predictor.ts';

const AGENT = ['User-Agent', 'Mozilla/5.0 Chrome/156.0.0.0', 'Accept-Encoding', 'gzip'];
const HTML = ['Content-Type', 'text/html; charset=utf-8'];

interface Asked {
  readonly url: string;
  headers: RawHeaders;
  /** Null where it has left. */
  sink: ResponseSink | null;
}

let asked: Asked[];
/** What a relay has promised, and with which cookies it has asked for it. */
let promised: Map<string, string | null>;
/** Fields of all answers to objects. */
let response: RawHeaders;
let predictor: Predictor;

beforeEach(() => {
  [asked, response] = [[], []];
  promised = new Map();
  const fetch = ({ origin, path, headers, isForeseen }: UpstreamRequest, sink: ResponseSink): ReturnType<Predictor['fetch']> => {
    const request: Asked = { url: `${origin}${path}`, headers, sink };
    asked.push(request);
    if (!isForeseen && path !== '/' && path !== '/frame') leave(request);
    return {
      ...UNHELD,
      revise: (fields) => {
        if (request.sink !== null) request.headers = fields;
        return request.sink !== null;
      },
    };
  };
  predictor = testPredictor(fetch, { promisedCookie: (url) => promised.get(url) });
});

/** It is sent, and answered. */
function leave(request: Asked, fields: RawHeaders = response, body = 'ten bytes.'): void {
  const { sink } = request;
  request.sink = null;
  sink?.started(200, '', fields);
  void sink?.data(Buffer.from(body));
  sink?.ended([]);
}

function ask(url: string, fields: RawHeaders): void {
  const { origin, host, pathname: path } = new URL(url);
  predictor.fetch(requestTo(origin, { path, headers: ['Host', host, ...AGENT, ...fields] }), sinkOf());
}

const askScript = (url: string, ...fields: string[]): void => ask(url, ['Accept', '*/*', 'Referer', 'http://a.test/', ...fields]);
const named = (name: string): Asked[] => asked.filter(({ url }) => url.endsWith(`/${name}`));
const cookiesOf = (name: string): (string | null)[] => named(name).map(({ headers }) => valueOf(headers, 'cookie'));

/** A page of a browser that has a cookie, which a script changes when the first two of what the page names have been sent. */
function load(origin: string, documentFields: RawHeaders = []): void {
  ask('http://a.test/', ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html,*/*;q=0.8', 'Cookie', 'count=1', 'Referer', 'http://a.test/before']);
  leave(asked[0]!, [...HTML, ...documentFields], ['1', '2', '3', '4'].map((name) => `<script src=${origin}/${name}></script>`).join(''));
}

it('the icon that a browser asks every origin for says nothing of cookies of a path, which do not go with it', () => {
  load('http://a.test');
  askScript('http://a.test/favicon.ico');
  expect(cookiesOf('1')).toEqual(['count=1']);
  askScript('http://a.test/1', 'Cookie', 'count=1');
  expect(cookiesOf('1')).toHaveLength(1);
});

it('what has not left when a script of the page changes a cookie goes with the new one, and is asked for once', () => {
  load('http://a.test');
  for (const name of ['1', '2']) leave(named(name)[0]!);
  askScript('http://a.test/1', 'Cookie', 'count=1');
  expect(cookiesOf('3')).toEqual(['count=1']);
  askScript('http://a.test/3', 'Cookie', 'count=2');
  for (const name of ['3', '4']) leave(named(name)[0]!);
  askScript('http://a.test/4', 'Cookie', 'count=2');
  expect(['1', '3', '4'].map((name) => cookiesOf(name))).toEqual([['count=1'], ['count=2'], ['count=2']]);
});

it('nothing is asked for with cookies of a request of another page, of one that is a page, or of one by CORS', () => {
  load('http://a.test');
  askScript('http://a.test/other', 'Cookie', 'count=1');
  ask('http://a.test/frame', ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html', 'Referer', 'http://a.test/', 'Cookie', 'frame=1']);
  askScript('http://a.test/by-cors', 'Origin', 'http://a.test');
  ask('http://a.test/of-b', ['Accept', '*/*', 'Referer', 'http://b.test/', 'Cookie', 'count=3']);
  expect(cookiesOf('2')).toEqual(['count=1']);
});

it('another site is asked for nothing with cookies that nobody has foreseen', () => {
  load('http://b.test');
  askScript('http://b.test/other');
  expect(cookiesOf('2')).toEqual([null]);
  askScript('http://b.test/more', 'Cookie', 'theirs=1');
  expect(cookiesOf('2')).toEqual([null]);
});

it.each<[string, RawHeaders, RawHeaders, number]>([
  ['once where any cache may give the answer', ['Cache-Control', 'max-age=60'], [], 1],
  ['anew where the server has set the cookie', ['Cache-Control', 'max-age=60'], ['Set-Cookie', 'count=1; Path=/'], 2],
  ['anew where the answer says nothing of that', [], [], 2],
])('what has been sent is asked for %s', (_, fields, documentFields, times) => {
  response = fields;
  load('http://a.test', documentFields);
  leave(named('2')[0]!);
  askScript('http://a.test/2', 'Cookie', 'count=2');
  expect(named('2')).toHaveLength(times);
});

describe('what a relay has asked for before a script changed a cookie', () => {
  it('is foreseen with the cookies that it was asked for with, and asked for once', () => {
    load('http://a.test');
    const ofFrame = ['Accept', '*/*', 'Referer', 'http://a.test/frame', 'Cookie', 'count=2'];
    ask('http://a.test/frame', ['Upgrade-Insecure-Requests', '1', 'Accept', 'text/html', 'Referer', 'http://a.test/', 'Cookie', 'count=1']);
    promised.set('http://a.test/5', 'count=1');
    askScript('http://a.test/other', 'Cookie', 'count=2');
    leave(named('frame')[0]!, HTML, '<script src=5></script><script src=6></script>');
    ask('http://a.test/more', ofFrame);
    expect(['5', '6'].map((name) => cookiesOf(name))).toEqual([['count=1'], ['count=2']]);
    leave(named('5')[0]!, ['Cache-Control', 'max-age=60']);
    ask('http://a.test/5', ofFrame);
    expect(named('5')).toHaveLength(1);
  });

  it.each<[string, RawHeaders, (string | null)[]]>([
    ['once where any cache may give the answer', ['Cache-Control', 'max-age=60'], [null]],
    ['anew where the answer says nothing of that', [], [null, 'count=1']],
  ])('is asked for by the browser itself %s', async (_, fields, cookies) => {
    promised.set('http://static.a.test/1', null);
    ask('http://static.a.test/1', ['Accept', '*/*', 'Referer', 'http://a.test/', 'Cookie', 'count=1']);
    leave(named('1')[0]!, fields);
    await setImmediate();
    expect(cookiesOf('1')).toEqual(cookies);
  });
});
