import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { openLocally } from '../testing/loopback.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Upstream } from './upstream.ts';

let server: Server;
let upstream: Upstream;
/** Cookies of the requests that have reached the server. */
let cookies: (string | undefined)[];
let answer: () => void;

beforeEach(async () => {
  [cookies, answer] = [[], () => undefined];
  server = await listenLocally(createServer((request, response) => {
    cookies.push(request.headers.cookie);
    answer = () => response.end('text');
  }));
  upstream = testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await openLocally(portOf(server)), onClosed));
});
afterEach(() => {
  upstream.close();
  server.close();
});

it('a request has other fields until it is sent, and none of them from then on', async () => {
  let isOver = false;
  const fetch = upstream.fetch(requestTo('http://a.test', { headers: ['Cookie', 'a=1'], isForeseen: true }), sinkOf({ ended: () => void (isOver = true) }));
  expect([fetch.revise(['Cookie', 'a=2']), fetch.revise(['Cookie', 'a=3'])]).toEqual([true, true]);
  await expect.poll(() => cookies).toEqual(['a=3']);
  expect(fetch.revise(['Cookie', 'a=4'])).toBe(false);
  answer();
  await expect.poll(() => isOver).toBe(true);
  expect(fetch.revise(['Cookie', 'a=5'])).toBe(false);
  expect(cookies).toEqual(['a=3']);
});
