import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { KEEP_ALIVE_MS } from './connection.ts';
import { DirectConnection } from './directConnection.ts';

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
