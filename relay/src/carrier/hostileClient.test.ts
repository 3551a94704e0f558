import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { duplexPair } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from '../../../shared/src/relay/identity.ts';
import { LISTENS, TestRelay, requestTunnel } from '../testing/testRelay.ts';
import { TestServer } from '../testing/testServer.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** RFC 9113, section 6. */
const [HEADERS, RESET, SETTINGS, CONTINUATION] = [0x1, 0x3, 0x4, 0x9];
const END_HEADERS = 0x4;
const OPENINGS = 20;
const STILL_MS = 100;

let relay: TestRelay;
let server: TestServer;
let identity: Identity;
beforeEach(async () => {
  relay = await TestRelay.start({ limits: { openingsAtOnce: OPENINGS, openingsPerSecond: 0 } });
  server = await TestServer.start((socket) => socket.pipe(socket));
  identity = await relay.client();
});
afterEach(async () => {
  await relay.close();
  await server.close();
});

const authority = (): string => `a.test:${server.port}`;

function frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** CONNECT, of fields that no table keeps (RFC 7541, section 6.2.2; `:authority` and `:method` are 1 and 2 there). */
function connectFields(): Buffer {
  const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  return Buffer.concat([Buffer.of(2), text('CONNECT'), Buffer.of(1), text(authority())]);
}

function reset(stream: number, code: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(code);
  return frame(RESET, 0, stream, payload);
}

/** A client that writes its frames itself. */
async function rawClient(): Promise<TLSSocket> {
  const socket = relay.tls(identity);
  await once(socket, 'secureConnect');
  socket.resume().write(Buffer.concat([Buffer.from(PREFACE), frame(SETTINGS, 0, 0, Buffer.alloc(0))]));
  return socket;
}

async function echo(by: Identity): Promise<string> {
  const stream = requestTunnel(await relay.connect(by), authority());
  stream.end('echo');
  return textOf(stream);
}

describe('a client that abuses HTTP/2', () => {
  // Node tells of a stream when all that came with it is read, and of an error right after that
  it.each([['NO_ERROR', 0, 0], ['PROTOCOL_ERROR', 1, 1], ['INTERNAL_ERROR', 2, 1], ['REFUSED_STREAM', 7, 1], ['CANCEL', 8, 0]])('by a request that it breaks off with the same packet ends nothing else: %s', async (_, code, errors) => {
    const socket = await rawClient();
    socket.write(Buffer.concat([frame(HEADERS, END_HEADERS, 1, connectFields()), reset(1, code), frame(HEADERS, END_HEADERS, 3, connectFields())]));
    // the one that it has not broken off, on the same carrier
    await expect.poll(() => server.sockets.length).toBeGreaterThan(0);
    expect([socket.destroyed, relay.log.filter(({ message }) => message === 'stream broken').length]).toEqual([false, errors]);
    socket.destroy();
    expect(await echo(identity)).toBe('echo');
  });

  it('by requests that it breaks off at once, without end, opens no more than it may, and harms nobody', async () => {
    const socket = await rawClient();
    for (let n = 0; n < 10 * OPENINGS; n += 1) {
      socket.write(Buffer.concat([frame(HEADERS, END_HEADERS, 2 * n + 1, connectFields())]));
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(reset(2 * n + 1, 8));
    }
    expect(await echo(await relay.client('b'))).toBe('echo');
    expect(server.sockets.length).toBeLessThanOrEqual(OPENINGS + 1);
    socket.destroy();
  });

  it('by fields without end is gone, and harms nobody', async () => {
    const socket = await rawClient();
    socket.write(frame(HEADERS, 0, 1, connectFields()));
    const gone = once(socket, 'close');
    for (let n = 0; n < 1_000 && !socket.destroyed; n += 1) socket.write(frame(CONTINUATION, 0, 1, Buffer.concat([Buffer.of(0, 1), Buffer.from('x'), Buffer.of(1), Buffer.from('y')])));
    await gone;
    expect(await echo(await relay.client('b'))).toBe('echo');
  });
});

it('what a client has said, said again by somebody who has heard it, opens nothing', async () => {
  const said: Buffer[] = [];
  const [near, tcp] = duplexPair();
  const far = connect(relay.address.port, LISTENS.host);
  near.on('data', (chunk: Buffer) => said.push(chunk)).pipe(far).pipe(near);
  const socket = relay.tls(identity, { socket: tcp });
  const session = connectHttp2('https://relay', { createConnection: () => socket });
  const stream = requestTunnel(session, authority());
  stream.end('echo');
  expect(await textOf(stream)).toBe('echo');
  session.destroy();
  far.destroy();
  const [carriers, opened] = [(): number => relay.log.filter(({ message }) => message === 'carrier begun').length, server.sockets.length];
  const before = carriers();
  const again = connect(relay.address.port, LISTENS.host).on('error', () => undefined).resume();
  const ended = new Promise((resolve) => again.once('close', resolve));
  again.write(Buffer.concat(said));
  // what it says next is under keys that nobody has
  await ended;
  await sleep(STILL_MS);
  expect([carriers(), server.sockets.length]).toEqual([before, opened]);
});
