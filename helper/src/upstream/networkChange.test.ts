import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';
import { requestTo, sinkOf } from '../testing/testUpstream.ts';
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
