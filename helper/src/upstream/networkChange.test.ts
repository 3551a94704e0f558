import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { openSpeaking, portOf } from '../testing/loopback.ts';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Upstream } from './upstream.ts';

let proxy: TestProxy;
let server: RawServer;
let answers: (() => void)[];

beforeEach(async () => {
  answers = [];
  server = await RawServer.start((socket, _, connection) => void answers.push(() => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${connection}`)));
  proxy = await TestProxy.start();
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

/** Asks, and has it answered or not. */
async function ask(method = 'GET'): Promise<{ readonly body: Promise<string>; readonly answer: () => void }> {
  const place = answers.length;
  const body = proxy.request(`${server.origin}/`, { method, ...(method === 'POST' && { headers: { 'content-length': '0' } }) }).then(
    (answer) => `${answer.status} ${String(answer.body).slice(0, 10)}`,
    () => 'cut',
  );
  await expect.poll(() => answers.length).toBe(place + 1);
  return { body, answer: () => answers[place]?.() };
}

/** Asks without a browser. @param over told how it has ended */
function fetchFrom(upstream: Upstream, origin: string, over: (how: string) => void): ReturnType<Upstream['fetch']> {
  return upstream.fetch(requestTo(origin, { fetchClass: FetchClass.offScreen }), sinkOf({ ended: () => over('whole'), failed: ({ code }) => over(code) }));
}

it('connections that are given up close when nothing is on the way, and no request joins them', async () => {
  const first = await ask();
  proxy.upstream.retireConnections();
  const second = await ask();
  expect(server.openCount).toBe(2);
  first.answer();
  second.answer();
  expect([await first.body, await second.body]).toEqual(['200 0', '200 1']);
  await expect.poll(() => server.openCount).toBe(1);
  proxy.upstream.retireConnections();
  await expect.poll(() => server.openCount).toBe(0);
});

it('a request on a connection that was given up is not sent again when it is ranked anew', async () => {
  const over: PromiseWithResolvers<string> = Promise.withResolvers();
  const fetch = fetchFrom(proxy.upstream, server.origin, (how) => over.resolve(how));
  await expect.poll(() => answers.length).toBe(1);
  proxy.upstream.retireConnections();
  fetch.rank(FetchClass.inView);
  // had it been sent again, that had come first
  (await ask()).answer();
  answers[0]?.();
  expect([await over.promise, answers.length]).toEqual(['whole', 2]);
});

describe('after a change of networks', () => {
  it('what is on the way ends, and nothing joins its connection', async () => {
    const first = await ask();
    proxy.upstream.networkChanged(() => true);
    const second = await ask();
    first.answer();
    second.answer();
    expect([await first.body, await second.body]).toEqual(['200 0', '200 1']);
    await expect.poll(() => server.openCount).toBe(1);
  });

  it('idle connections are closed', async () => {
    const first = await ask();
    first.answer();
    await first.body;
    proxy.upstream.networkChanged(() => true);
    await expect.poll(() => server.openCount).toBe(0);
  });

  it('what can not come any more is asked for again where that is safe, and is an error where not', async () => {
    // both connections are in use when they are lost, and have been before
    const warm = [await ask(), await ask()];
    for (const { answer, body } of warm) {
      answer();
      await body;
    }
    const [get, post] = [await ask(), await ask('POST')];
    proxy.upstream.networkChanged((address) => address !== '127.0.0.1');
    expect(await post.body).toBe('502 E_UPSTREAM');
    await expect.poll(() => answers.length).toBe(5);
    answers[4]?.();
    expect(await get.body).toMatch(/^200 /);
  });
});

const PING = 6;
const PREFACE_BYTES = 24;
const FRAME_HEADER_BYTES = 9;

/** As much of HTTP/2 as says that it is there: settings, and answers to this many pings (RFC 9113, section 6.7). */
async function http2Server(pongs: number, pinged: () => void): Promise<Server> {
  const http2 = createServer((socket) => {
    let bytes = Buffer.alloc(0);
    let at = PREFACE_BYTES;
    let left = pongs;
    socket.on('error', () => undefined);
    socket.write(Buffer.from('000000040000000000', 'hex'));
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let end = 0; bytes.length >= at + FRAME_HEADER_BYTES && bytes.length >= (end = at + FRAME_HEADER_BYTES + bytes.readUIntBE(at, 3)); at = end) {
        if (bytes[at + 3] !== PING) continue;
        pinged();
        const pong = Buffer.from(bytes.subarray(at, end));
        pong[4] = 1;
        if (left-- > 0) socket.write(pong);
      }
    });
  });
  http2.listen(0, '127.0.0.1');
  await once(http2, 'listening');
  return http2;
}

it('an HTTP/2 server that is there no more is asked, and given up when it does not answer', async () => {
  let pings = 0;
  const http2 = await http2Server(1, () => (pings += 1));
  let isClosed = false;
  const connection = new DirectConnection(0, 'http://a.test', await openSpeaking('h2', portOf(http2)), () => (isClosed = true));
  let failure: Error | null = null;
  connection.send({ method: 'GET', path: '/', headers: [] }, { onRequestStart: () => undefined, onResponseStart: () => undefined, onResponseData: () => undefined, onResponseEnd: () => undefined, onResponseError: (_, error) => (failure = error) }, () => undefined);
  let nowMs = 0;
  const look = (): number => {
    connection.check((nowMs += 2_000));
    return pings;
  };
  await expect.poll(look).toBe(1);
  await expect.poll(look).toBe(2);
  expect(isClosed).toBe(false);
  await expect.poll(() => [look(), isClosed, failure instanceof Error]).toEqual([2, true, true]);
  http2.close();
});

it('so is one whose connection no request joins any more', async () => {
  let pings = 0;
  const http2 = await http2Server(0, () => (pings += 1));
  let connection: DirectConnection | null = null;
  const upstream = testUpstream(async (origin, id, onClosed) => (connection = new DirectConnection(id, origin, await openSpeaking('h2', portOf(http2)), onClosed)));
  const over: string[] = [];
  fetchFrom(upstream, 'http://a.test', (how) => over.push(how));
  await expect.poll(() => connection?.isBusy).toBe(true);
  upstream.networkChanged(() => true);
  vi.useFakeTimers({ toFake: ['performance'] });
  const look = (): number => {
    vi.advanceTimersByTime(5_000);
    upstream.checkConnections();
    return pings;
  };
  await expect.poll(look).toBe(1);
  await expect.poll(() => [look(), over]).toEqual([1, ['E_UPSTREAM']]);
  vi.useRealTimers();
  upstream.close();
  http2.close();
});
