import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ServerSockets } from './serverSockets.ts';

const ORIGIN = 'http://a.test';

let server: Server;
let sockets: ServerSockets;
let opened: Socket[];
let failure: Error | null;

/** Opens connections to the server. */
const openTcp = async (): Promise<Socket> => {
  if (failure !== null) throw failure;
  const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true });
  opened.push(socket);
  await once(socket, 'connect');
  return socket;
};

beforeEach(async () => {
  [opened, failure] = [[], null];
  server = await listenLocally(createServer((socket) => socket.on('error', () => undefined)));
  sockets = new ServerSockets(openTcp, new TlsStarter(null));
});
afterEach(() => {
  vi.useRealTimers();
  sockets.close();
  for (const socket of opened) socket.destroy();
  server.close();
});

describe('a socket that was prepared', () => {
  it('is the one that is opened next, once', async () => {
    sockets.prepare(ORIGIN);
    expect([await sockets.open(ORIGIN), await sockets.open(ORIGIN)]).toEqual([opened[0], opened[1]]);
  });

  it('is not made where there is one already, and is when that has gone', async () => {
    sockets.prepare(ORIGIN);
    sockets.prepare(ORIGIN);
    const socket = await sockets.open(ORIGIN);
    sockets.prepare(ORIGIN);
    expect(opened).toEqual([socket]);
    socket.destroy();
    await once(socket, 'close');
    sockets.prepare(ORIGIN);
    expect(opened.length).toBe(2);
  });

  it('is not given when its server has broken it off', async () => {
    sockets.prepare(ORIGIN);
    await expect.poll(() => opened[0]?.readyState).toBe('open');
    opened[0]?.destroy(new Error('reset'));
    expect(await sockets.open(ORIGIN)).toBe(opened[1]);
  });

  it('is not given when its server has ended its own direction', async () => {
    const ended = once(server, 'connection').then(([socket]) => (socket as Socket).end());
    sockets.prepare(ORIGIN);
    await ended;
    await expect.poll(() => opened[0]?.readyState).toBe('writeOnly');
    expect(await sockets.open(ORIGIN)).toBe(opened[1]);
    expect(opened[1]?.readyState).toBe('open');
  });

  it('is closed when nobody has asked for it in ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    sockets.prepare(ORIGIN);
    await expect.poll(() => opened[0]?.readyState).toBe('open');
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => opened[0]?.destroyed).toBe(true);
  });

  it('has ten seconds of its own, though one before it was closed by its server', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    sockets.prepare(ORIGIN);
    await expect.poll(() => opened[0]?.readyState).toBe('open');
    vi.advanceTimersByTime(9_000);
    opened[0]?.destroy();
    await once(opened[0] as Socket, 'close');
    sockets.prepare(ORIGIN);
    await expect.poll(() => opened[1]?.readyState).toBe('open');
    vi.advanceTimersByTime(9_000);
    expect(await sockets.open(ORIGIN)).toBe(opened[1]);
  });

  it('is closed with all the others', async () => {
    sockets.prepare(ORIGIN);
    await expect.poll(() => opened[0]?.readyState).toBe('open');
    sockets.close();
    await expect.poll(() => opened[0]?.destroyed).toBe(true);
  });
});

it('a server that can not be reached is not tried again for a while, whoever has tried', async () => {
  failure = new FirstscreenError('E_CONNECT', 'no', 'wait');
  sockets.prepare(ORIGIN);
  await expect(sockets.open(ORIGIN)).rejects.toThrow('no');
  failure = null;
  sockets.prepare(ORIGIN);
  await expect(sockets.open(ORIGIN)).rejects.toThrow('no');
  expect(opened).toEqual([]);
});

it('one client has so many and no more, to whatever servers, until one of them has gone', async () => {
  const few = new ServerSockets(openTcp, new TlsStarter(null), 2);
  few.prepare('http://b.test');
  const [socket] = [await few.open(ORIGIN), await few.open('http://b.test')];
  await expect(few.open('http://c.test')).rejects.toMatchObject({ code: 'E_RELAY_LIMIT' });
  few.prepare('http://c.test');
  expect(opened.length).toBe(2);
  socket.destroy();
  await once(socket, 'close');
  expect(await few.open('http://c.test')).toBe(opened[2]);
});
