import { once } from 'node:events';
import { constants, type ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ERROR_FIELD, FAR_FIELD } from '../../../shared/src/relay/wire.ts';
import { TestRelay, answerOf, endOf, requestTunnel } from '../testing/testRelay.ts';
import { TestServer } from '../testing/testServer.ts';

/** More than all buffers on the way of a test hold. */
const LARGE_BYTES = 30_000_000;

let relay: TestRelay;
let session: ClientHttp2Session;
let server: TestServer;
beforeEach(async () => {
  relay = await TestRelay.start({ names: { 'nobody.test': ['127.0.0.2'] }, openingLimitMs: 2_000 });
  session = await relay.connect(await relay.client());
  server = await TestServer.start();
});
afterEach(async () => {
  await relay.close();
  await server.close();
});

const authority = (host = 'a.test'): string => `${host}:${server.port}`;

describe('a tunnel', () => {
  it('carries both directions, and what came before its answer', async () => {
    const stream = requestTunnel(session, authority());
    stream.write('early ');
    expect(await answerOf(stream)).toMatchObject({ ':status': 200, [FAR_FIELD]: expect.stringMatching(/^\d{1,4}$/) as string });
    stream.write('late');
    let received = '';
    server.sockets[0]!.on('data', (chunk) => (received += String(chunk)));
    await expect.poll(() => received).toBe('early late');
    server.sockets[0]!.write('back');
    expect(String(((await once(stream, 'data')) as [Buffer])[0])).toBe('back');
  });

  it('stays open to the client when the client has ended', async () => {
    const stream = requestTunnel(session, authority());
    stream.end('all');
    await answerOf(stream);
    const [socket] = server.sockets;
    await once(socket!.resume(), 'end');
    await sleep(50);
    socket!.end('answer');
    expect(await textOf(stream)).toBe('answer');
  });

  it('stays open to the server when the server has ended', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    const [socket] = server.sockets;
    socket!.end('first');
    expect(await textOf(stream)).toBe('first');
    await sleep(50);
    let received = '';
    socket!.on('data', (chunk) => (received += String(chunk)));
    stream.end('second');
    await once(socket!, 'end');
    expect(received).toBe('second');
  });

  it('ends whole though the other direction has ended before: a large body arrives', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    const [socket] = server.sockets;
    socket!.end();
    stream.resume().end(Buffer.alloc(LARGE_BYTES));
    let received = 0;
    for await (const chunk of socket!) received += (chunk as Buffer).length;
    expect(received).toBe(LARGE_BYTES);
  });

  it('is reset to the server when the client breaks off', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    const reset = new Promise((resolve) => server.sockets[0]!.resume().once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code)));
    // close() of Node would end the stream before
    stream.destroy();
    expect(await reset).toBe('ECONNRESET');
  });

  it('is reset to the server when the client breaks off after the server has ended', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    const [socket] = server.sockets;
    socket!.end();
    await once(stream.resume(), 'end');
    const reset = new Promise((resolve) => socket!.resume().once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code)));
    stream.write('a part');
    stream.destroy();
    expect(await reset).toBe('ECONNRESET');
  });

  it('is reset to the server when the client breaks off while the server reads nothing', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    const [socket] = server.sockets;
    socket!.end();
    await once(stream.resume(), 'end');
    stream.write(Buffer.alloc(LARGE_BYTES));
    await sleep(200);
    stream.destroy();
    const reset = new Promise((resolve) => socket!.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code)));
    socket!.resume();
    expect(await reset).toBe('ECONNRESET');
  });

  it.each([['a part', Buffer.from('a part')], ['more than is read', Buffer.alloc(LARGE_BYTES)]])('is reset to the client, and never ends, when the server breaks off after %s', async (_, part) => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    const events: string[] = [];
    for (const event of ['end', 'close']) stream.once(event, () => events.push(event === 'end' && stream.rstCode === constants.NGHTTP2_INTERNAL_ERROR ? 'end of what was reset' : event));
    server.sockets[0]!.write(part);
    await once(stream, 'data');
    server.sockets[0]!.resetAndDestroy();
    expect(await endOf(stream)).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    expect(events.filter((event) => event === 'end')).toEqual([]);
  });

  it('that the client gives up before there is an answer leaves no connection', async () => {
    const stream = requestTunnel(session, authority());
    stream.destroy();
    await endOf(stream);
    const other = requestTunnel(session, authority());
    await answerOf(other);
    await expect.poll(() => server.sockets.filter((socket) => !socket.resume().destroyed && !socket.readableEnded).length).toBe(1);
  });

  it('holds the server up when the client reads nothing, and others go on', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    stream.pause();
    const [socket] = server.sockets;
    socket!.write(Buffer.alloc(LARGE_BYTES));
    let before = -1;
    while (before !== socket!.bytesWritten - socket!.writableLength) {
      before = socket!.bytesWritten - socket!.writableLength;
      await sleep(200);
    }
    expect(socket!.writableLength).toBeGreaterThan(0);
    const other = requestTunnel(session, authority());
    await answerOf(other);
    server.sockets[1]!.end('through');
    expect(await textOf(other)).toBe('through');
    let received = 0;
    stream.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
    await expect.poll(() => received).toBe(LARGE_BYTES);
  });

  it('holds the client up when the server reads nothing, and others go on', async () => {
    const stream = requestTunnel(session, authority());
    await answerOf(stream);
    server.sockets[0]!.pause();
    stream.write(Buffer.alloc(LARGE_BYTES));
    await sleep(200);
    const other = requestTunnel(session, authority());
    await answerOf(other);
    server.sockets[1]!.pipe(server.sockets[1]!);
    other.end('echo');
    expect(await textOf(other)).toBe('echo');
    let received = 0;
    server.sockets[0]!.on('data', (chunk) => (received += chunk.length)).resume();
    await expect.poll(() => received).toBe(LARGE_BYTES);
  });
});

describe('a tunnel that can not be', () => {
  it.each([
    ['unknown.test:443', 502, 'E_NAME'],
    ['a.test:1', 403, 'E_ADDRESS'],
    ['a.test:25', 403, 'E_ADDRESS'],
    ['a.test', 400, 'E_PROXY_TARGET'],
    ['a.test:0', 400, 'E_PROXY_TARGET'],
    ['a.test:65536', 400, 'E_PROXY_TARGET'],
  ])('%s: %s %s', async (target, status, code) => {
    const answer = await answerOf(requestTunnel(session, target));
    expect([answer[':status'], answer[ERROR_FIELD]]).toEqual([status, code]);
  });

  it('has a code when no address accepts a connection', async () => {
    const { port } = server;
    await server.close();
    const answer = await answerOf(requestTunnel(session, `nobody.test:${port}`));
    expect([answer[':status'], answer[ERROR_FIELD]]).toEqual([502, 'E_CONNECT']);
    server = await TestServer.start();
  });

  it('has a code for a level that is none', async () => {
    for (const level of [10, 1.5, -1]) {
      const answer = await answerOf(requestTunnel(session, authority(), level));
      expect([answer[':status'], answer[ERROR_FIELD]]).toEqual([400, 'E_MESSAGE_SCHEMA']);
    }
  });
});
