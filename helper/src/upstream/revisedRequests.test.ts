import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import { StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import { ALL_PARTS } from '../parts.ts';
import { DirectConnection } from './directConnection.ts';
import type { Fetch } from './fetch.ts';
import { Upstream } from './upstream.ts';

let server: Server;
let upstream: Upstream;
/** Cookies of the requests that have reached the server. */
let cookies: (string | undefined)[];
let answer: () => void;

beforeEach(async () => {
  [cookies, answer] = [[], () => undefined];
  server = createServer((request, response) => {
    cookies.push(request.headers.cookie);
    answer = () => response.end('text');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  upstream = new Upstream({
    tellsUrgency: true,
    scheduler: new FetchScheduler(fetchScheme(ALL_PARTS, () => INITIAL_LINK)),
    credits: new StreamCredits(() => INITIAL_LINK),
    open: async (origin, id, onClosed) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      await once(socket, 'connect');
      return new DirectConnection(id, origin, { socket, rttMs: 1 }, onClosed);
    },
    measured: () => undefined,
    log: () => undefined,
  });
});
afterEach(() => {
  upstream.close();
  server.close();
});

it('a request has other fields until it is sent, and none of them from then on', async () => {
  let isOver = false;
  const sink = { informed: () => undefined, started: () => undefined, data: () => null, ended: () => void (isOver = true), failed: () => undefined };
  const fetch: Fetch = upstream.fetch({ method: 'GET', origin: 'http://a.test', path: '/', headers: ['Cookie', 'a=1'], body: null, browser: null, fetchClass: 0, index: 0, bytes: 20_000, isForeseen: true }, sink);
  expect([fetch.revise(['Cookie', 'a=2']), fetch.revise(['Cookie', 'a=3'])]).toEqual([true, true]);
  await expect.poll(() => cookies).toEqual(['a=3']);
  expect(fetch.revise(['Cookie', 'a=4'])).toBe(false);
  answer();
  await expect.poll(() => isOver).toBe(true);
  expect(fetch.revise(['Cookie', 'a=5'])).toBe(false);
  expect(cookies).toEqual(['a=3']);
});
