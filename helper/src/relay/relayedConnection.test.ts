import { randomBytes } from 'node:crypto';
import { constants, createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally } from '../../../shared/src/node/testing/localServer.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { ERROR_FIELD, LEVEL_FIELD } from '../../../shared/src/relay/wire.ts';
import { openLocally } from '../testing/loopback.ts';
import { plainCarrier, type PlainCarrier } from '../testing/plainCarrier.ts';
import { RawServer } from '../testing/rawServer.ts';
import { requestTo, testUpstream } from '../testing/testUpstream.ts';
import { KEEP_ALIVE_MS } from '../upstream/connection.ts';
import { DirectConnection } from '../upstream/directConnection.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { UNCODED } from './codingTerms.ts';
import { PushedAnswers, type PromisedRequest } from './pushedAnswers.ts';
import { RelayedConnection } from './relayedConnection.ts';

/** Longer than what is sent takes over loopback. */
const LATER_MS = 60;
/** Of a promise that nobody asks for. */
const UNASKED_MS = 400;

type Relay = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, raw: readonly string[]) => void;

let relay: Http2Server;
let sessions: ServerHttp2Session[];
let carrier: PlainCarrier;
/** What the relay does with a request. */
let onRequest: Relay;
let asked: { readonly headers: IncomingHttpHeaders; readonly raw: readonly string[] }[];
let refusals: string[];
let answers: unknown[];
/** Whether the helper may ask for it. */
let isWanted: (request: PromisedRequest) => boolean;
/** The server itself, which the helper goes to when the relay will not. */
let server: RawServer;
let upstream: Upstream;

beforeEach(async () => {
  [sessions, asked, refusals, answers] = [[], [], [], []];
  onRequest = (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('by the relay');
  };
  relay = createServer({ strictSingleValueFields: false });
  relay.on('session', (each) => sessions.push(each));
  relay.on('stream', (stream, headers, _flags, raw) => {
    stream.on('error', () => undefined);
    asked.push({ headers, raw });
    onRequest(stream, headers, raw);
  });
  await listenLocally(relay);
  isWanted = () => true;
  carrier = await plainCarrier(relay, new PushedAnswers((request) => isWanted(request), UNASKED_MS));
  server = await RawServer.start((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ndirect'));
  upstream = testUpstream(async (origin, id, onClosed) => {
    if (carrier.isOpen && refusals.length === 0) return relayed(origin, id, onClosed);
    return new DirectConnection(id, origin, await openLocally(server.port), onClosed);
  });
});
afterEach(async () => {
  upstream.close();
  carrier.session.destroy();
  for (const each of sessions) each.destroy();
  relay.close();
  await server.close();
});

function relayed(origin: string, id: number, onClosed: () => void): RelayedConnection {
  return new RelayedConnection(id, origin, carrier, onClosed, { isUsable: () => refusals.length === 0, refused: (code) => refusals.push(code), answered: (...answer) => answers.push(answer), coding: () => UNCODED, bodies: null, servers: null });
}

/** The way back of a request. */
class Way {
  readonly informed: [number, readonly string[]][] = [];
  status = 0;
  fields: readonly string[] = [];
  trailers: readonly string[] = [];
  readonly ends: string[] = [];
  readonly fetch: Fetch;
  private readonly chunks: Buffer[] = [];
  private readonly over: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(request: Partial<UpstreamRequest> = {}) {
    const end = (how: string): void => {
      this.ends.push(how);
      this.over.resolve();
    };
    const sink: ResponseSink = {
      informed: (status, fields) => this.informed.push([status, fields]),
      started: (status, _text, fields) => ([this.status, this.fields] = [status, fields]),
      data: (chunk) => {
        this.chunks.push(chunk);
        return null;
      },
      ended: (trailers) => {
        this.trailers = trailers;
        end('ended');
      },
      failed: ({ code }, wasSent) => end(`${code} ${wasSent ? 'sent' : 'not sent'}`),
    };
    this.fetch = upstream.fetch(requestTo(server.origin, { headers: ['host', '127.0.0.1'], ...request }), sink);
  }

  get body(): Buffer {
    return Buffer.concat(this.chunks);
  }

  /** How it ended, and what came. */
  async whole(): Promise<[string, string]> {
    await this.over.promise;
    return [this.ends.join(), this.body.toString()];
  }
}

describe('what the relay answers', () => {
  it('comes as it is: what comes before, status, fields, body, trailers', async () => {
    const bytes = randomBytes(300_000);
    onRequest = (stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</a.css>' });
      stream.respond([':status', '206', 'content-range', 'bytes 0-9/10', 'set-cookie', 'a=1', 'set-cookie', 'b=\xe4'], { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'server-timing': ['a', 'b'] }));
      stream.end(bytes);
    };
    const way = new Way();
    await way.whole();
    expect(way.informed).toEqual([[103, ['link', '</a.css>']]]);
    expect([way.status, way.fields.filter((_, place) => place < 6)]).toEqual([206, ['content-range', 'bytes 0-9/10', 'set-cookie', 'a=1', 'set-cookie', 'b=\xe4']]);
    expect(way.body.equals(bytes)).toBe(true);
    expect(way.trailers).toEqual(['server-timing', 'a', 'server-timing', 'b']);
    expect(way.ends).toEqual(['ended']);
  });

  it('is told of, to learn which hosts answer a relay otherwise', async () => {
    onRequest = (stream) => stream.respond({ ':status': 403, 'cf-mitigated': 'challenge' }, { endStream: true });
    await new Way({ headers: ['Host', 'x', 'Sec-Fetch-Dest', 'image'] }).whole();
    expect(answers).toEqual([[['Host', 'x', 'Sec-Fetch-Dest', 'image'], 403, expect.arrayContaining(['cf-mitigated', 'challenge'])]]);
  });

  it.each([['HEAD', 200], ['GET', 304]])('without a body: %s %i', async (method, status) => {
    onRequest = (stream) => stream.respond([':status', String(status), 'content-length', '5', 'etag', '"a"'], { endStream: true });
    const way = new Way({ method });
    expect(await way.whole()).toEqual(['ended', '']);
    expect([way.status, way.fields.slice(0, 4)]).toEqual([status, ['content-length', '5', 'etag', '"a"']]);
  });

  it('is not whole when it breaks off', async () => {
    onRequest = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part', () => setTimeout(() => stream.destroy(new Error('cut off')), LATER_MS));
    };
    expect(await new Way().whole()).toEqual(['E_UPSTREAM sent', 'part']);
  });

  it('is not whole when the carrier is gone', async () => {
    onRequest = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part', () => setTimeout(() => sessions[0]?.socket.destroy(), LATER_MS));
    };
    expect(await new Way().whole()).toEqual(['E_UPSTREAM sent', 'part']);
  });
});

describe('what the relay is told', () => {
  it('is the request, its level, and its level anew', async () => {
    onRequest = () => undefined;
    const way = new Way({ path: '/a?b', headers: ['Host', 'x.test', 'Accept', 'image/*', 'Priority', 'u=3'], fetchClass: FetchClass.offScreen });
    await expect.poll(() => asked.length).toBe(1);
    const { host } = new URL(server.origin);
    expect(asked[0]?.raw.slice(0, 14)).toEqual([':method', 'GET', ':scheme', 'http', ':authority', host, ':path', '/a?b', LEVEL_FIELD, '6', 'accept', 'image/*', 'priority', 'u=3']);
    way.fetch.rank(FetchClass.inView);
    way.fetch.rank(FetchClass.inView);
    expect(carrier.ranked).toEqual([[1, 2]]);
  });

  it('is that nobody wants it any more', async () => {
    const reset: number[] = [];
    onRequest = (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part');
      stream.once('close', () => reset.push(stream.rstCode));
    };
    const way = new Way();
    await expect.poll(() => way.body.toString()).toBe('part');
    way.fetch.cancel();
    await expect.poll(() => reset).toEqual([constants.NGHTTP2_CANCEL]);
    expect(way.ends).toEqual([]);
  });

  it('is a body, as long as it may be', async () => {
    const bytes = randomBytes(400_000);
    const received: Buffer[] = [];
    onRequest = (stream) => {
      stream.on('data', (chunk: Buffer) => received.push(chunk));
      stream.on('end', () => stream.respond({ ':status': 201 }, { endStream: true }));
    };
    const body = new PassThrough();
    const way = new Way({ method: 'POST', body, headers: ['content-length', String(bytes.length)] });
    body.end(bytes);
    expect(await way.whole()).toEqual(['ended', '']);
    expect([way.status, Buffer.concat(received).equals(bytes)]).toEqual([201, true]);
  });

  it('is not the end of a body that is cut off', async () => {
    const seen: string[] = [];
    onRequest = (stream) => {
      stream.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
      stream.on('end', () => seen.push(`end ${stream.rstCode}`));
      stream.on('close', () => seen.push('close'));
    };
    const body = new PassThrough();
    const way = new Way({ method: 'POST', body });
    body.write('part');
    await expect.poll(() => seen).toEqual(['part']);
    body.destroy();
    await expect.poll(() => seen.at(-1)).toBe('close');
    expect(seen).not.toContain('end 0');
    expect(await way.whole()).toEqual(['E_UPSTREAM sent', '']);
  });

  it('an answer may come before all of a body has left', async () => {
    onRequest = (stream) => {
      stream.respond({ ':status': 413 });
      stream.end('too much');
      stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
    };
    const body = new PassThrough();
    const way = new Way({ method: 'POST', body });
    body.write(Buffer.alloc(1_000));
    expect(await way.whole()).toEqual(['ended', 'too much']);
    // who sends it is not cut off
    body.write(Buffer.alloc(1_000_000));
    await sleep(LATER_MS);
    expect([body.destroyed, body.readableLength]).toEqual([false, 0]);
  });
});

describe('what the relay will not do', () => {
  const refuse = (code: string): Relay => (stream) => stream.respond({ ':status': 502, [ERROR_FIELD]: code }, { endStream: true });

  it.each(['E_CONNECT', 'E_NAME', 'E_ADDRESS', 'E_RELAY_LIMIT'])('is done directly: %s', async (code) => {
    onRequest = refuse(code);
    const way = new Way();
    expect(await way.whole()).toEqual(['ended', 'direct']);
    expect(refusals).toEqual([code]);
  });

  it('as its server breaks a safe request off without an answer, is done directly', async () => {
    onRequest = (stream) => stream.destroy(new Error('the server has cut it off'));
    expect(await new Way().whole()).toEqual(['ended', 'direct']);
    expect([asked.length, refusals]).toEqual([1, ['E_CONNECT']]);
  });

  it('as its server breaks it off, is done by nobody where that may do harm', async () => {
    onRequest = (stream) => stream.destroy(new Error('the server has cut it off'));
    expect(await new Way({ method: 'POST', body: Buffer.from('all of it') }).whole()).toEqual(['E_UPSTREAM sent', '']);
    expect([asked.length, refusals, server.received]).toEqual([1, [], []]);
  });

  it('is done directly also where what it says is not understood', async () => {
    onRequest = refuse('hasOwnProperty');
    expect(await new Way().whole()).toEqual(['ended', 'direct']);
    expect(refusals).toEqual(['E_RELAY_UNSUPPORTED']);
  });

  it.each(['E_UPSTREAM_TLS', 'E_CLIENT_CERTIFICATE'])('the browser sees to itself: %s', async (code) => {
    onRequest = refuse(code);
    expect(await new Way().whole()).toEqual([`${code} not sent`, '']);
    expect(server.received).toEqual([]);
  });

  it('a body of which some is gone is the browser\'s to send again', async () => {
    onRequest = refuse('E_CONNECT');
    const body = new PassThrough();
    body.end('all of it');
    expect(await new Way({ method: 'POST', body }).whole()).toEqual(['E_CONNECT not sent', '']);
    expect(server.received).toEqual([]);
  });

  it('a body that is there whole is sent again', async () => {
    onRequest = refuse('E_CONNECT');
    expect(await new Way({ method: 'POST', body: Buffer.from('all of it') }).whole()).toEqual(['ended', 'direct']);
    expect(server.received.join('')).toMatch(/\r\n\r\nall of it$/);
  });

  it('from one moment to the next is done directly, however much is asked for in that moment', async () => {
    expect(await new Way().whole()).toEqual(['ended', 'by the relay']);
    // nobody is told before something is asked for
    refusals.push('E_RELAY_LIMIT');
    const ways = ['/1', '/2', '/3'].map((path) => new Way({ path }));
    expect(await Promise.all(ways.map((way) => way.whole()))).toEqual(Array(3).fill(['ended', 'direct']));
  });

  it('what was asked before goes on', async () => {
    const streams: ServerHttp2Stream[] = [];
    onRequest = (stream) => streams.push(stream);
    const first = new Way();
    await expect.poll(() => streams.length).toBe(1);
    onRequest = refuse('E_RELAY_LIMIT');
    expect(await new Way().whole()).toEqual(['ended', 'direct']);
    streams[0]?.respond({ ':status': 200 });
    streams[0]?.end('late');
    expect(await first.whole()).toEqual(['ended', 'late']);
  });
});

describe('a relay that is silent', () => {
  beforeEach(() => {
    onRequest = () => undefined;
  });

  it('is waited for no more, where a request may be made twice', async () => {
    const way = new Way();
    await expect.poll(() => asked.length).toBe(1);
    // it is not up any more
    refusals.push('silent');
    carrier.isSilent = true;
    expect(carrier.late()).toBe(true);
    expect(await way.whole()).toEqual(['ended', 'direct']);
  });

  it('is waited for where it may not', async () => {
    const post = new Way({ method: 'POST' });
    await expect.poll(() => asked.length).toBe(1);
    carrier.isSilent = true;
    expect([carrier.late(), post.ends, server.received]).toEqual([false, [], []]);
  });
});

describe('what is lost with the carrier', () => {
  beforeEach(() => {
    onRequest = () => void setTimeout(() => sessions[0]?.socket.destroy(), LATER_MS);
  });

  it('is asked again directly where that is safe', async () => {
    expect(await new Way().whole()).toEqual(['ended', 'direct']);
    expect([asked.length, server.received.length]).toEqual([1, 1]);
  });

  it('is not where it is not', async () => {
    expect(await new Way({ method: 'POST' }).whole()).toEqual(['E_UPSTREAM sent', '']);
    expect([asked.length, server.received.length]).toEqual([1, 0]);
  });

  it('is where the relay says that it has not begun it', async () => {
    onRequest = (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM);
    const way = new Way({ method: 'POST' });
    await expect.poll(() => asked.length).toBe(2);
    expect((await way.whole())[0]).toBe('E_UPSTREAM not sent');
    expect(asked.length).toBe(2);
  });

  it('what comes next goes directly', async () => {
    carrier.session.destroy();
    expect(await new Way().whole()).toEqual(['ended', 'direct']);
  });
});

it('a server is forgotten when it was asked for nothing for as long as a connection may rest', () => {
  let timesClosed = 0;
  const connection = relayed(server.origin, 1, () => (timesClosed += 1));
  const nowMs = Math.ceil(performance.now());
  connection.send({ method: 'GET', path: '/', headers: [] }, { onRequestStart: () => undefined, onResponseStart: () => undefined, onResponseData: () => undefined, onResponseEnd: () => undefined, onResponseError: () => undefined }, () => undefined, { level: 0, pushes: null });
  connection.check(nowMs + KEEP_ALIVE_MS);
  connection.ended();
  connection.check(nowMs + 2 * KEEP_ALIVE_MS - 1);
  expect([timesClosed, connection.isOpen]).toEqual([0, true]);
  connection.check(nowMs + 2 * KEEP_ALIVE_MS);
  expect([timesClosed, connection.isOpen]).toEqual([1, false]);
});

describe('what the relay pushes', () => {
  const OBJECT = ['host', 'x', 'accept', 'text/css', 'cookie', 'a=1'];
  /** What became of each push, by its code. */
  let closed: number[];
  let pushes: ServerHttp2Stream[];

  /** Pushes the answer to a request for `/a.css`, with the answer to each request. */
  const push = (changes: Readonly<Record<string, string | undefined>> = {}, answer: (stream: ServerHttp2Stream) => void = (stream) => {
    stream.respond({ ':status': 200, etag: 'x' });
    stream.end('pushed');
  }): void => {
    onRequest = (stream, headers) => {
      const promise = { ':method': 'GET', ':scheme': 'http', ':authority': new URL(server.origin).host, ':path': '/a.css', [LEVEL_FIELD]: '1', accept: 'text/css', cookie: 'a=1', ...changes };
      stream.pushStream(promise, (_error, pushStream) => {
        pushes.push(pushStream);
        pushStream.on('error', () => undefined);
        pushStream.once('close', () => closed.push(pushStream.rstCode));
        answer(pushStream);
      });
      stream.respond({ ':status': 200 });
      stream.end(`asked for ${headers[':path'] ?? ''}`);
    };
  };
  beforeEach(() => {
    [closed, pushes] = [[], []];
  });

  it('is the answer when just that is asked for, without asking again', async () => {
    push();
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => pushes.length).toBe(1);
    await sleep(LATER_MS);
    const way = new Way({ path: '/a.css', headers: OBJECT, fetchClass: FetchClass.layout });
    expect(await way.whole()).toEqual(['ended', 'pushed']);
    expect([way.status, way.fields.slice(0, 2), asked.length, carrier.pushed.count]).toEqual([200, ['etag', 'x'], 1, { promised: 1, taken: 1 }]);
  });

  it('in clear is reset as soon as the browser asks for the same by https:', async () => {
    push({}, (stream) => stream.respond({ ':status': 200 }));
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => pushes.length).toBe(1);
    await sleep(LATER_MS);
    expect(carrier.pushed.take([':method', 'GET', ':scheme', 'https', ':authority', new URL(server.origin).host, ':path', '/b.css'])).toBeNull();
    await sleep(LATER_MS);
    expect(closed).toEqual([]);
    expect(carrier.pushed.take([':method', 'GET', ':scheme', 'https', ':authority', new URL(server.origin).host, ':path', '/a.css'])).toBeNull();
    await sleep(LATER_MS);
    expect(closed).toEqual([constants.NGHTTP2_CANCEL]);
  });

  it('is of the level that the helper gives it from then on', async () => {
    push({}, (stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part');
    });
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => pushes.length).toBe(1);
    await sleep(LATER_MS);
    const way = new Way({ path: '/a.css', headers: OBJECT, fetchClass: FetchClass.layout });
    await expect.poll(() => way.body.toString()).toBe('part');
    way.fetch.rank(FetchClass.offScreen);
    // the stream is one that the relay has numbered
    expect(carrier.ranked).toEqual([[2, 0], [2, 6]]);
    pushes[0]?.end(' and rest');
    expect(await way.whole()).toEqual(['ended', 'part and rest']);
  });

  it('is the answer, too, when it begins to come later', async () => {
    push({}, (stream) => setTimeout(() => {
      stream.respond({ ':status': 200 });
      stream.end('late');
    }, 2 * LATER_MS));
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => pushes.length).toBe(1);
    await sleep(LATER_MS);
    expect(await new Way({ path: '/a.css', headers: OBJECT }).whole()).toEqual(['ended', 'late']);
  });

  it.each([
    ['another cookie', { cookie: 'a=2' }],
    ['a field more', { range: 'bytes=0-' }],
    ['another path', { ':path': '/b.css' }],
    ['another server', { ':authority': 'other.test' }],
  ])('is none to a request with %s', async (_, changes) => {
    push(changes, (stream) => stream.respond({ ':status': 200 }));
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => pushes.length).toBe(1);
    await sleep(LATER_MS);
    expect(await new Way({ path: '/a.css', headers: OBJECT }).whole()).toEqual(['ended', 'asked for /a.css']);
    expect(carrier.pushed.count.taken).toBe(0);
    await expect.poll(() => closed).toContain(constants.NGHTTP2_CANCEL);
  });

  it.each<[string, string | undefined, readonly string[], string | null | undefined]>([
    ['another cookie', 'a=1', ['cookie', 'a=2'], 'a=1'],
    ['a cookie more', undefined, ['cookie', 'a=2'], null],
    ['the same one in crumbs', 'a=1; b=2', ['cookie', 'a=1', 'cookie', 'b=2'], 'a=1; b=2'],
    ['a field more', 'a=1', ['cookie', 'a=1', 'range', 'bytes=0-'], undefined],
  ])('tells with which cookies it was asked for, of a request with %s', async (_, cookie, fields, expected) => {
    push({ cookie });
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => carrier.pushed.count.promised).toBe(1);
    expect(carrier.pushed.cookieFor(`${server.origin}/a.css`, ['Host', 'x', 'Accept', 'text/css', ...fields])).toBe(expected);
    expect(carrier.pushed.cookieFor(`${server.origin}/b.css`, ['Accept', 'text/css'])).toBeUndefined();
  });

  it.each([['of another method', { ':method': 'HEAD' }], ['of another scheme', { ':scheme': 'ftp' }]])('is refused at once: %s', async (_, changes) => {
    push(changes);
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => closed.length).toBe(1);
  });

  it('is refused at once where the helper does not want it', async () => {
    const wanted: PromisedRequest[] = [];
    isWanted = (request) => {
      wanted.push(request);
      return false;
    };
    push({}, (stream) => {
      stream.respond({ ':status': 200 });
      stream.write(Buffer.alloc(10));
    });
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => closed).toEqual([constants.NGHTTP2_CANCEL]);
    expect(wanted).toEqual([{ url: `${server.origin}/a.css`, host: '127.0.0.1', fields: ['accept', 'text/css', 'cookie', 'a=1'] }]);
  });

  it('is reset when nobody asks for it', async () => {
    push({}, (stream) => stream.respond({ ':status': 200 }));
    await new Way({ path: '/page' }).whole();
    await expect.poll(() => closed).toEqual([constants.NGHTTP2_CANCEL]);
  });

  it('is given once', async () => {
    push();
    await new Way({ path: '/page' }).whole();
    await sleep(LATER_MS);
    onRequest = (stream) => {
      stream.respond({ ':status': 200 });
      stream.end('anew');
    };
    const ways = [1, 2].map(() => new Way({ path: '/a.css', headers: OBJECT }));
    expect((await Promise.all(ways.map((way) => way.whole()))).map(([, body]) => body).sort()).toEqual(['anew', 'pushed']);
  });
});
