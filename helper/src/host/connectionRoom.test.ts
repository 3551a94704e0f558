import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openConnectionRoom } from './connectionRoom.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

async function enter(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Real sockets take their time, whatever the clock says. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));

it('holds all connections until no more come, says nothing, and lets nobody in any more', async () => {
  const port = await openConnectionRoom();
  const said: Buffer[] = [];
  const sockets = [];
  for (let n = 0; n < 3; n += 1) {
    sockets.push((await enter(port)).on('data', (chunk) => said.push(chunk)));
    await settle();
    vi.advanceTimersByTime(900);
  }
  expect(sockets.every(({ destroyed }) => !destroyed)).toBe(true);
  const closed = sockets.map((socket) => once(socket, 'close'));
  vi.advanceTimersByTime(1_000);
  await Promise.all(closed);
  expect(said).toEqual([]);
  await expect(enter(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('closes after some seconds, also when nobody comes', async () => {
  const port = await openConnectionRoom();
  vi.advanceTimersByTime(4_000);
  await settle();
  await expect(enter(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
