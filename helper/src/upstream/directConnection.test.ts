import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
// @ts-expect-error: no types of this part
import timers from 'undici/lib/util/timers.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { KEEP_ALIVE_MS } from './connection.ts';
import { DirectConnection } from './directConnection.ts';

const HOURS_MS = 4 * 3_600_000;

let server: RawServer;
let socket: Socket;
let connection: DirectConnection;
let timesClosed: number;

beforeEach(async () => {
  server = await RawServer.start(() => undefined);
  socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  timesClosed = 0;
  connection = new DirectConnection(1, server.origin, { socket, rttMs: 1 }, () => (timesClosed += 1));
});
afterEach(() => server.close());

it('ends its socket when it is destroyed, also where nothing was ever sent on it', async () => {
  connection.destroy();
  await expect.poll(() => [socket.destroyed, timesClosed]).toEqual([true, 1]);
});

it('ends its socket when it is closed, also where nothing was ever sent on it', async () => {
  connection.close();
  await expect.poll(() => [socket.destroyed, timesClosed]).toEqual([true, 1]);
});

it('ends when nothing was sent on it for as long as one may rest, and nothing more is sent on it', async () => {
  connection.check(performance.now());
  expect(timesClosed).toBe(0);
  connection.check(performance.now() + KEEP_ALIVE_MS);
  expect(timesClosed).toBe(1);
  await expect.poll(() => socket.destroyed).toBe(true);
});

it('may be closed when it is destroyed already', async () => {
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  connection.close();
  // a rejection that nobody handles would end the helper
  await turn();
});

it('a request waits for its answer for as long as the browser does, which may be for hours', async () => {
  const ended = Promise.withResolvers<unknown>();
  connection.send({ method: 'GET', path: '/', headers: [] }, {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: () => undefined,
    onResponseEnd: () => ended.resolve('whole'),
    onResponseError: (_, error) => ended.resolve(error),
  }, () => undefined);
  await expect.poll(() => server.received).toHaveLength(1);
  // a timer that is new counts from the first time on
  for (let times = 0; times < 2; times += 1) (timers as { tick(delayMs: number): void }).tick(HOURS_MS);
  server.say(0, 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  expect(await ended.promise).toBe('whole');
});
