import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FirstscreenError, type ErrorCode } from '../../../shared/src/errors.ts';
import { ANY_LINK, LOOPBACK } from '../testing/loopback.ts';
import { NEVER_MS, TestRelay, type RelayBehaviour } from '../testing/testRelay.ts';
import { openTcp, type OpenedTcp } from '../upstream/openSocket.ts';
import type { RelayCarrier } from './relayCarrier.ts';
import { RelayedSocket } from './relayedSocket.ts';
import type { RelayTunnel } from './relayTunnel.ts';

/** A record of TLS with the first bytes of a ClientHello, and what would be early data behind it. */
const HELLO = Buffer.from([22, 3, 1, 0, 4, 1, 0, 0, 0]);
const EARLY_DATA = Buffer.from([23, 3, 3, 0, 1, 0]);

let relay: TestRelay;
let carrier: RelayCarrier;
let server: Server;
let port: number;
/** What each connection has sent to the server, and the connections. */
let received: Buffer[];
let sockets: Socket[];
let tunnels: RelayTunnel[];
let refusals: ErrorCode[];
let directs: number;
let direct: () => Promise<OpenedTcp>;

beforeEach(async () => {
  [received, sockets, tunnels, refusals, directs] = [[], [], [], [], 0];
  server = createServer({ allowHalfOpen: true }, (socket) => {
    const place = received.push(Buffer.alloc(0)) - 1;
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', (chunk) => (received[place] = Buffer.concat([received[place] ?? Buffer.alloc(0), chunk])));
  });
  port = portOf(await listenLocally(server));
  direct = () => openTcp([LOOPBACK], port, ANY_LINK, true);
});
afterEach(async () => {
  carrier.close();
  await relay.close();
  await endServer(server);
});

async function start(behaviour: RelayBehaviour = {}): Promise<void> {
  relay = await TestRelay.start(behaviour);
  carrier = await relay.carrier();
}

function socketTo(host = 'a.test', allowHalfOpen = true): RelayedSocket {
  const tunnel = carrier.tunnel(host, port, 2);
  if (tunnel === null) throw new Error('no tunnel');
  tunnels.push(tunnel);
  return new RelayedSocket(tunnel, {
    direct: () => {
      directs += 1;
      return direct();
    },
    refused: (code) => refusals.push(code),
    allowHalfOpen,
  });
}

/** All that has come by the end. */
async function all(socket: RelayedSocket): Promise<string> {
  return Buffer.concat((await socket.toArray()) as Buffer[]).toString();
}

describe('a connection through the relay', () => {
  it('is written to before the relay has answered', async () => {
    await start({ delayMs: NEVER_MS });
    socketTo().write('first');
    await expect.poll(() => relay.received[0]?.toString()).toBe('first');
  });

  it('counts its bytes, and has the address and the round trip of the carrier', async () => {
    await start();
    const socket = socketTo();
    socket.write('12345');
    await socket.decided;
    await expect.poll(() => received.map(String)).toEqual(['12345']);
    sockets[0]?.end('678');
    expect(await all(socket)).toBe('678');
    expect([socket.bytesWritten, socket.bytesRead, socket.localAddress, directs]).toEqual([5, 3, '127.0.0.1', 0]);
    expect(socket.rttMs).toBeGreaterThan(0);
  });

  it('leaves one direction open when the other has ended', async () => {
    await start();
    const socket = socketTo();
    socket.end('question');
    await expect.poll(() => received.map(String)).toEqual(['question']);
    await expect.poll(() => sockets[0]?.readableEnded).toBe(true);
    sockets[0]?.end('answer');
    expect(await all(socket)).toBe('answer');
  });

  it('ends as a whole with the server where nobody wants half of it', async () => {
    await start();
    const socket = socketTo('a.test', false);
    await socket.decided;
    await expect.poll(() => sockets.length).toBe(1);
    sockets[0]?.end();
    socket.resume();
    await once(socket, 'close');
    await expect.poll(() => sockets[0]?.readableEnded).toBe(true);
  });

  it('carries a megabyte each way, byte by byte the same, to a slow reader', async () => {
    await start();
    const socket = socketTo();
    const bytes = Buffer.from(Array.from({ length: 1_000_000 }, (_, place) => (place * 31) % 251));
    socket.write(bytes);
    await expect.poll(() => received[0]?.equals(bytes)).toBe(true);
    sockets[0]?.end(bytes);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      if (chunks.length % 50 === 0) await sleep(1);
    }
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });
});

describe('where the relay says no', () => {
  it('goes directly, with what was written and once', async () => {
    await start({ refuses: { 'a.test': 'E_CONNECT' }, delayMs: 20 });
    const socket = socketTo();
    socket.write('POST');
    await socket.decided;
    socket.end(' / and more');
    await expect.poll(() => received.map(String)).toEqual(['POST / and more']);
    sockets[0]?.end('answer');
    expect(await all(socket)).toBe('answer');
    expect([refusals, directs]).toEqual([['E_CONNECT'], 1]);
  });

  it('fails as the direct way does', async () => {
    await start({ refuses: { 'a.test': 'E_NAME' } });
    direct = () => Promise.reject(new FirstscreenError('E_ADDRESS', 'no', 'no'));
    const socket = socketTo();
    await socket.decided;
    expect(socket.errored).toMatchObject({ code: 'E_ADDRESS' });
  });
});

describe('where the server ends it before it has said anything', () => {
  const ends: [string, (socket?: Socket) => void][] = [['breaks it off', (socket) => void socket?.resetAndDestroy()], ['ends it', (socket) => void socket?.end()]];

  it.each(ends)('goes directly when a ClientHello was written, as it may take nobody from where the relay is: %s', async (_case, end) => {
    await start();
    const socket = socketTo();
    socket.write(HELLO);
    await socket.decided;
    await expect.poll(() => received.map((bytes) => bytes.equals(HELLO))).toEqual([true]);
    end(sockets[0]);
    await expect.poll(() => received.map((bytes) => bytes.equals(HELLO))).toEqual([true, true]);
    socket.write('rest');
    await expect.poll(() => received[1]?.subarray(HELLO.length).toString()).toBe('rest');
    sockets[1]?.end('answer');
    expect(await all(socket)).toBe('answer');
    expect([refusals, directs]).toEqual([['E_CONNECT'], 1]);
  });

  it.each(ends)('is over when anything else was written: %s', async (_case, end) => {
    await start();
    const socket = socketTo('a.test', false);
    socket.write('POST / HTTP/1.1\r\n\r\n');
    await socket.decided;
    await expect.poll(() => received[0]?.length).toBe(19);
    end(sockets[0]);
    socket.resume();
    await expect.poll(() => socket.closed).toBe(true);
    expect([refusals, directs]).toEqual([[], 0]);
  });
});

it('a server that breaks off is not taken for a lost relay, and never looks whole', async () => {
  await start();
  const socket = socketTo();
  await socket.decided;
  await expect.poll(() => sockets.length).toBe(1);
  sockets[0]?.write('half');
  await once(socket, 'data');
  let hasEnded = false;
  socket.on('end', () => (hasEnded = true));
  sockets[0]?.resetAndDestroy();
  await expect.poll(() => socket.errored).toMatchObject({ code: 'E_UPSTREAM' });
  expect(hasEnded).toBe(false);
});

describe('where the relay is gone', () => {
  it('a connection that the relay had answered is cut, and never looks whole', async () => {
    await start();
    const socket = socketTo();
    await socket.decided;
    await expect.poll(() => sockets.length).toBe(1);
    sockets[0]?.write('half');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toBe('half');
    let hasEnded = false;
    socket.on('end', () => (hasEnded = true));
    await relay.kill();
    await expect.poll(() => socket.closed).toBe(true);
    expect(socket.errored).toMatchObject({ code: 'E_RELAY_UNAVAILABLE' });
    expect([hasEnded, directs]).toEqual([false, 0]);
  });

  it.each<[string, readonly Buffer[], number]>([
    ['nothing was written', [], 1],
    ['a ClientHello was written', [HELLO], 1],
    ['early data was written behind it', [HELLO, EARLY_DATA], 0],
    ['a request in clear was written', [Buffer.from('POST / HTTP/1.1\r\n\r\n')], 0],
  ])('before it had answered, when %s, as many go directly: %j %i', async (_case, pieces, expected) => {
    await start({ delayMs: NEVER_MS });
    const socket = socketTo();
    for (const piece of pieces) socket.write(piece);
    await expect.poll(() => relay.received[0]?.equals(Buffer.concat(pieces))).toBe(true);
    await relay.kill();
    await socket.decided;
    expect(directs).toBe(expected);
    if (expected === 0) expect(socket.errored).toMatchObject({ code: 'E_RELAY_UNAVAILABLE' });
    else await expect.poll(() => received.map((bytes) => bytes.equals(Buffer.concat(pieces)))).toEqual([true]);
  });
});

describe('where the relay is silent', () => {
  it('goes directly after two missed beats, and the rest with it', async () => {
    await start();
    relay.goDead();
    const socket = socketTo();
    socket.write(HELLO);
    await socket.decided;
    socket.write('rest');
    await expect.poll(() => received.map((bytes) => bytes.toString('latin1'))).toEqual([`${HELLO.toString('latin1')}rest`]);
  });

  it('goes directly after the relay has connected, when nothing but a ClientHello was written and nothing has come', async () => {
    await start();
    const socket = socketTo();
    socket.write(HELLO);
    await socket.decided;
    await expect.poll(() => received.length).toBe(1);
    relay.goDead();
    await expect.poll(() => received.map((bytes) => bytes.equals(HELLO))).toEqual([true, true]);
    socket.write('rest');
    await expect.poll(() => received[1]?.subarray(HELLO.length).toString()).toBe('rest');
    sockets[1]?.end('answer');
    expect(await all(socket)).toBe('answer');
  });

  it.each<[string, Buffer | null, boolean]>([
    ['the server has said something', HELLO, true],
    ['something else was written', Buffer.from('POST / HTTP/1.1\r\n\r\n'), false],
    ['nobody waits for anything', null, false],
  ])('is lost with the relay after it has connected, when %s: no second server gets a byte', async (_case, written, answers) => {
    await start();
    const socket = socketTo();
    if (written !== null) socket.write(written);
    await socket.decided;
    await expect.poll(() => received.length).toBe(1);
    if (answers) sockets[0]?.write('hello');
    if (answers) await expect.poll(() => socket.bytesRead).toBe(5);
    relay.goDead();
    await expect.poll(() => socket.errored).toMatchObject({ code: 'E_RELAY_UNAVAILABLE' });
    expect(received.slice(1).every((bytes) => bytes.length === 0)).toBe(true);
  });

  it('stays with the relay when only one server may get what was written, and is lost with it', async () => {
    await start();
    relay.goDead();
    const socket = socketTo();
    socket.write('POST / HTTP/1.1\r\n\r\n');
    await socket.decided;
    expect(socket.errored).toMatchObject({ code: 'E_RELAY_UNAVAILABLE' });
    // a look whether there is a direct way sends nothing
    expect(received.every((bytes) => bytes.length === 0)).toBe(true);
  });

  it('waits for the relay where the direct way fails', async () => {
    await start({ delayMs: 200 });
    direct = () => Promise.reject(new FirstscreenError('E_CONNECT', 'no', 'no'));
    const socket = socketTo();
    socket.write(HELLO);
    tunnels[0]?.late();
    await socket.decided;
    expect([socket.errored, directs]).toEqual([null, 1]);
    await expect.poll(() => received.map((bytes) => bytes.equals(HELLO))).toEqual([true]);
  });

  it('takes the relay all the same when it answers first, and sends nothing the other way', async () => {
    await start({ delayMs: 100 });
    const open = direct;
    const isDecided = Promise.withResolvers<unknown>();
    direct = async () => {
      const opened = await open();
      await isDecided.promise;
      return opened;
    };
    const socket = socketTo();
    socket.write(HELLO);
    tunnels[0]?.late();
    await socket.decided;
    isDecided.resolve(null);
    socket.write('rest');
    await expect.poll(() => sockets.filter(({ readableEnded, destroyed }) => readableEnded || destroyed)).toHaveLength(1);
    await expect.poll(() => received.map((bytes) => bytes.length).sort((a, b) => a - b)).toEqual([0, HELLO.length + 'rest'.length]);
  });

  it('sends nothing directly when what only one server may get was written meanwhile', async () => {
    await start({ delayMs: 400 });
    const open = direct;
    direct = async () => {
      await sleep(100);
      return open();
    };
    const socket = socketTo();
    tunnels[0]?.late();
    socket.write('POST / HTTP/1.1\r\n\r\n');
    await socket.decided;
    await expect.poll(() => received.map((bytes) => bytes.length).sort((a, b) => a - b)).toEqual([0, 19]);
  });
});
