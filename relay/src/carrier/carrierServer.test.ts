import { once } from 'node:events';
import { connect as connectHttp2, constants, type ClientHttp2Session, type ClientHttp2Stream, type Settings } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { duplexPair } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { createIdentity, type Identity } from '../../../shared/src/relay/identity.ts';
import { ERROR_FIELD, MAX_CONTROL_LINE_BYTES } from '../../../shared/src/relay/wire.ts';
import { MAX_TURN_BYTES } from '../queue/sendQueue.ts';
import { StoppedReader } from '../testing/stoppedReader.ts';
import { LISTENS, TestRelay, answerOf, endOf, openControl, requestTunnel } from '../testing/testRelay.ts';
import { TestServer } from '../testing/testServer.ts';
import { RECORD_BYTES } from './carrierTransport.ts';
import { CARRIER_LIMITS } from './limits.ts';
import { LEAST_WINDOW_BYTES } from './receiveWindow.ts';

const LIMITS = { handshakes: 3, handshakeMs: 400, carriersOfClient: 2, tunnelsOfClient: 4 };
/** As many as may be open at a time, and then as many again. */
const MANY = 2 * CARRIER_LIMITS.streams;
/** Larger than what loopback keeps. */
const LARGE_WINDOW_BYTES = 1 << 27;
const STILL_MS = 100;
const PROFILES = 10;
/** One way. */
const FAR_MS = 50;
const RECORD_HEADER_BYTES = 5;
const HEADER_BYTES = 100_000;
/** More than a stream's window. */
const MUCH_BYTES = 3_000_000;

let relay: TestRelay;
let server: TestServer;
beforeEach(async () => {
  relay = await TestRelay.start({ limits: LIMITS });
  server = await TestServer.start((socket) => socket.pipe(socket));
});
afterEach(async () => {
  await relay.close();
  await server.close();
});

const authority = (): string => `a.test:${server.port}`;

/** What comes on a connection until it is over. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

async function echo(identity: Identity): Promise<string> {
  const stream = requestTunnel(await relay.connect(identity), authority());
  stream.end('echo');
  return textOf(stream);
}

describe('who is let in', () => {
  it('a client that is known has tunnels', async () => {
    expect(await echo(await relay.client())).toBe('echo');
  });

  it.each<[string, (known: Identity) => Promise<Identity | null>, ConnectionOptions]>([
    ['nobody without a certificate', () => Promise.resolve(null), {}],
    ['nobody with a certificate that is not known', () => createIdentity('laptop', new Date()), {}],
    ['nobody by TLS 1.2', (known) => Promise.resolve(known), { maxVersion: 'TLSv1.2' }],
    ['nobody who speaks something else', (known) => Promise.resolve(known), { ALPNProtocols: ['http/1.1'] }],
    ['nobody who does not say what he speaks', (known) => Promise.resolve(known), { ALPNProtocols: [] }],
  ])('%s, and he gets no byte of HTTP/2', async (_, identityOf, options) => {
    const socket = relay.tls(await identityOf(await relay.client()), options);
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(await received(socket)).toBe('');
    expect(relay.log.filter(({ message }) => message === 'carrier begun')).toEqual([]);
  });

  it('nobody without TLS', async () => {
    const socket = connect(relay.address.port, LISTENS.host).on('error', () => undefined);
    socket.write('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n');
    expect(await received(socket)).not.toContain('HTTP');
  });

  it('an unknown one is told of by his fingerprint', async () => {
    const stranger = await createIdentity('stranger', new Date());
    await received(relay.tls(stranger));
    expect(relay.log.find(({ message }) => message === 'unknown client')?.fields).toEqual({ fingerprint: stranger.fingerprint });
  });

  it('a client that is known no more is let in no more, its carriers end, and others stay', async () => {
    const [a, b] = [await relay.client('a'), await relay.client('b')];
    const [first, second] = [await relay.connect(a), await relay.connect(b)];
    const kept = requestTunnel(second, authority());
    await answerOf(kept);
    relay.clients.delete(a.fingerprint);
    relay.server.clientsChanged();
    await once(first, 'close');
    expect(await received(relay.tls(a))).toBe('');
    kept.end('still');
    expect(await textOf(kept)).toBe('still');
  });
});

describe('limits', () => {
  it('connections that say nothing are not let in in any number, and not for long', async () => {
    const sockets = Array.from({ length: 8 }, () => connect(relay.address.port, LISTENS.host).on('error', () => undefined));
    const closed = sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)));
    await Promise.all(closed);
    expect(await echo(await relay.client())).toBe('echo');
  });

  it('who takes all places of those that say nothing keeps nobody out', async () => {
    await relay.close();
    relay = await TestRelay.start({ limits: { handshakes: LIMITS.handshakes } });
    const silent = Array.from({ length: 8 }, () => connect(relay.address.port, LISTENS.host).on('error', () => undefined));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect(await echo(await relay.client())).toBe('echo');
    for (const socket of silent) socket.destroy();
  });

  it('a carrier more than a client may have ends its oldest', async () => {
    const identity = await relay.client();
    const [first, second] = [await relay.connect(identity), await relay.connect(identity)];
    const ended = once(first, 'close');
    await relay.connect(identity);
    await ended;
    expect(second.closed).toBe(false);
  });

  it('the helpers of many profiles of one machine, which have one key, leave each other alone', async () => {
    await relay.close();
    relay = await TestRelay.start();
    const identity = await relay.client();
    const sessions: ClientHttp2Session[] = [];
    for (let n = 0; n < PROFILES; n += 1) sessions.push(await relay.connect(identity));
    for (const session of sessions) {
      const stream = requestTunnel(session, authority());
      stream.end('still');
      expect(await textOf(stream)).toBe('still');
    }
  });

  it('a tunnel more than a client may have is refused, over all its carriers, and the next one is not', async () => {
    const identity = await relay.client();
    const sessions = [await relay.connect(identity), await relay.connect(identity)];
    const streams: ClientHttp2Stream[] = [];
    for (let n = 0; n < LIMITS.tunnelsOfClient; n += 1) {
      streams.push(requestTunnel(sessions[n % 2]!, authority()));
      await answerOf(streams[n]!);
    }
    const refused = await answerOf(requestTunnel(sessions[0]!, authority()));
    expect([refused[':status'], refused[ERROR_FIELD]]).toEqual([429, 'E_RELAY_LIMIT']);
    // another client has its own
    expect(await echo(await relay.client('b'))).toBe('echo');
    streams[0]!.close(constants.NGHTTP2_CANCEL);
    await endOf(streams[0]!);
    await expect.poll(async () => (await answerOf(requestTunnel(sessions[0]!, authority())))[':status']).toBe(200);
  });

  it('a client that opens too many streams too fast is refused, also over two carriers, and when it comes again; others are not', async () => {
    await relay.close();
    relay = await TestRelay.start({ limits: { openingsAtOnce: 5, openingsPerSecond: 0 } });
    const identity = await relay.client();
    const sessions = [await relay.connect(identity), await relay.connect(identity)];
    const codes: unknown[] = [];
    for (let n = 0; n < 6; n += 1) codes.push((await answerOf(requestTunnel(sessions[n % 2]!, authority())))[ERROR_FIELD]);
    expect(codes).toEqual([undefined, undefined, undefined, undefined, undefined, 'E_RELAY_LIMIT']);
    for (const session of sessions) session.destroy();
    await expect.poll(() => relay.log.filter(({ message }) => message === 'carrier ended').length).toBe(2);
    expect((await answerOf(requestTunnel(await relay.connect(identity), authority())))[ERROR_FIELD]).toBe('E_RELAY_LIMIT');
    expect(await echo(await relay.client('b'))).toBe('echo');
  });

  it('a client of whose tunnels too much is kept gets no other one until they are read', async () => {
    await relay.close();
    relay = await TestRelay.start({ limits: { keptBytesOfClient: 50_000 } });
    const session = await relay.connect(await relay.client());
    const unread = requestTunnel(session, authority());
    await answerOf(unread);
    unread.pause();
    server.sockets[0]!.write(Buffer.alloc(MUCH_BYTES));
    await expect.poll(async () => {
      const other = requestTunnel(session, authority());
      const { [ERROR_FIELD]: code } = await answerOf(other);
      other.close();
      return code;
    }).toBe('E_RELAY_LIMIT');
    let bytes = 0;
    unread.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
    await expect.poll(() => bytes).toBe(MUCH_BYTES);
    expect((await answerOf(requestTunnel(session, authority())))[':status']).toBe(200);
  });

  it('a header that is too large is its stream\'s alone', async () => {
    const session = await relay.connect(await relay.client());
    const large = Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`x-${n}`, 'x'.repeat(HEADER_BYTES / 5)]));
    const stream = session.request({ ':method': 'CONNECT', ':authority': authority(), ...large }).on('error', () => undefined);
    expect(await endOf(stream)).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    expect((await answerOf(requestTunnel(session, authority())))[':status']).toBe(200);
  });

  it('a client that is silent is taken for gone', async () => {
    await relay.close();
    relay = await TestRelay.start({ limits: { silenceMs: 200 } });
    const session = await relay.connect(await relay.client());
    await once(session, 'close');
  });
});

describe('an upload over a long link', () => {
  let far: Server;
  let session: ClientHttp2Session;
  let windows: (number | undefined)[];
  beforeEach(async () => {
    await relay.close();
    relay = await TestRelay.start({ limits: { keptBytesOfClient: LEAST_WINDOW_BYTES } });
    far = createServer((near) => {
      const way = connect(relay.address.port, LISTENS.host).on('error', () => undefined);
      near.on('error', () => undefined).on('data', (chunk: Buffer) => setTimeout(() => way.write(chunk), FAR_MS)).on('close', () => way.destroy());
      way.on('data', (chunk: Buffer) => setTimeout(() => near.write(chunk), FAR_MS));
    });
    await listenLocally(far);
    const socket = relay.tls(await relay.client(), { socket: connect(portOf(far), LISTENS.host) });
    session = connectHttp2('https://relay', { createConnection: () => socket }).on('error', () => undefined);
    windows = [];
    session.on('remoteSettings', ({ initialWindowSize }: Settings) => windows.push(initialWindowSize));
    const stream = requestTunnel(session, authority());
    await answerOf(stream.resume());
    stream.end(Buffer.alloc(MUCH_BYTES));
    await once(stream, 'end');
  });
  afterEach(() => {
    session.destroy();
    far.close();
  });

  it('is not held up by its window', () => expect(windows).toEqual([1, 2, 4, 8, 16].map((times) => times * LEAST_WINDOW_BYTES)));

  it('has the least window again where servers do not take what comes', async () => {
    const stuck = requestTunnel(session, authority());
    await answerOf(stuck);
    server.sockets[1]!.unpipe().pause();
    stuck.write(Buffer.alloc(10 * MUCH_BYTES));
    await expect.poll(() => windows.at(-1), { timeout: 5_000 }).toBe(LEAST_WINDOW_BYTES);
  });
});

it('two clients have carriers apart, also where their streams have the same numbers', async () => {
  const [a, b] = [await relay.connect(await relay.client('a')), await relay.connect(await relay.client('b'))];
  const [ofA, ofB] = [requestTunnel(a, authority()), requestTunnel(b, authority())];
  await Promise.all([answerOf(ofA), answerOf(ofB)]);
  expect(ofA.id).toBe(ofB.id);
  ofA.end('of a');
  ofB.end('of b');
  expect(await Promise.all([textOf(ofA), textOf(ofB)])).toEqual(['of a', 'of b']);
});

it('clients that go in the middle of everything break nothing', async () => {
  const identity = await relay.client();
  for (let n = 0; n < 30; n += 1) {
    const tcp = connect(relay.address.port, LISTENS.host).on('error', () => undefined);
    await once(tcp, 'connect');
    const socket = relay.tls(identity, { socket: tcp });
    await once(socket, 'secureConnect');
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0');
    if (n % 3 > 0) await once(socket, 'data');
    if (n % 2 === 0) tcp.destroy();
    else tcp.resetAndDestroy();
  }
  expect(await echo(identity)).toBe('echo');
});

it('a carrier that is ended while it writes breaks nothing, whoever ends it', async () => {
  for (let n = 0; n < 10; n += 1) {
    const identity = await relay.client();
    const socket = relay.tls(identity);
    await once(socket, 'secureConnect');
    const gone = once(socket, 'close');
    // frames that are none, when the relay has begun to say its settings
    socket.write(`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0${n % 2 === 0 ? 'nonsense'.repeat(9) : ''}`);
    await once(socket, 'data');
    relay.clients.delete(identity.fingerprint);
    relay.server.clientsChanged();
    await gone;
  }
  expect(await echo(await relay.client())).toBe('echo');
});

it('a PING has its answer', async () => {
  const session = await relay.connect(await relay.client());
  const payload = Buffer.from('12345678');
  const [answer] = await new Promise<[Buffer]>((resolve, reject) => session.ping(payload, (error, _, said) => (error === null ? resolve([said]) : reject(error))));
  expect(answer).toEqual(payload);
});

it('what is neither a tunnel nor a request to a server of the web has a code', async () => {
  const session = await relay.connect(await relay.client());
  const stream = session.request({ ':method': 'GET', ':scheme': 'ftp', ':authority': 'a.test', ':path': '/firstscreen/control' });
  const answer = await answerOf(stream);
  expect([answer[':status'], answer[ERROR_FIELD]]).toEqual([501, 'E_RELAY_UNSUPPORTED']);
});

it('streams that are too many at a time come through one after the other', async () => {
  await relay.close();
  relay = await TestRelay.start();
  const session = await relay.connect(await relay.client());
  session.setMaxListeners(0);
  const echoes = await Promise.all(
    Array.from({ length: MANY }, (_, n) => {
      const stream = requestTunnel(session, authority());
      stream.end(`echo ${n}`);
      return textOf(stream);
    }),
  );
  expect(echoes).toEqual(Array.from({ length: MANY }, (_, n) => `echo ${n}`));
});

describe('the control stream', () => {
  it('says hello, and takes ranks', async () => {
    const control = openControl(await relay.connect(await relay.client()));
    const [text] = (await once(control.setEncoding('utf8'), 'data')) as [string];
    expect(JSON.parse(text)).toEqual({ type: 'hello', version: 1, terminates: true });
    control.end(`${JSON.stringify({ type: 'rank', ranks: [{ stream: 999, level: 3 }] })}\n`);
    expect(await endOf(control)).toBe(constants.NGHTTP2_NO_ERROR);
  });

  it('has a server connected to that will be asked, which hears nothing more', async () => {
    const control = openControl(await relay.connect(await relay.client()));
    control.resume().write(`${JSON.stringify({ type: 'connect', origin: `http://${authority()}` })}\n`);
    await expect.poll(() => server.sockets.length).toBe(1);
    await sleep(STILL_MS);
    expect([server.sockets.length, server.sockets[0]?.bytesRead]).toEqual([1, 0]);
  });

  it.each([
    ['garbage', 'not JSON\n'],
    ['what is no origin of the web', '{"type":"connect","origin":"https://a.test/page"}\n'],
    ['JSON of another form', '{"type":"rank","ranks":[{"stream":1,"level":99}]}\n'],
    ['a type that is not known', '{"type":"eval","text":"x"}\n'],
    ['a line that is too long', 'x'.repeat(MAX_CONTROL_LINE_BYTES + 1)],
    ['an empty line', '\n'],
    ['bytes', '\0\xff\xfe\n'],
  ])('is reset for %s, and its carrier goes on', async (_, text) => {
    const session = await relay.connect(await relay.client());
    const tunnel = requestTunnel(session, authority());
    await answerOf(tunnel);
    const control = openControl(session);
    await answerOf(control.resume());
    control.write(text);
    expect(await endOf(control)).toBe(constants.NGHTTP2_PROTOCOL_ERROR);
    expect(relay.log.find(({ message }) => message === 'control refused')?.fields).toEqual({ client: 'laptop', code: 'E_RELAY_CONTROL' });
    tunnel.end('still');
    expect(await textOf(tunnel)).toBe('still');
    // and may be opened anew
    expect((await answerOf(openControl(session)))[':status']).toBe(200);
  });

  it('is one', async () => {
    const session = await relay.connect(await relay.client());
    await answerOf(openControl(session));
    const answer = await answerOf(openControl(session));
    expect([answer[':status'], answer[ERROR_FIELD]]).toEqual([429, 'E_RELAY_LIMIT']);
  });
});

it('what it sends is in records that are short on a slow link', async () => {
  const records: number[] = [];
  let pending = Buffer.alloc(0);
  const [near, tcp] = duplexPair();
  const far = connect(relay.address.port, LISTENS.host);
  near.pipe(far).pipe(near);
  far.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= RECORD_HEADER_BYTES) {
      const end = RECORD_HEADER_BYTES + pending.readUInt16BE(RECORD_HEADER_BYTES - 2);
      if (pending.length < end) break;
      records.push(end);
      pending = pending.subarray(end);
    }
  });
  const socket = relay.tls(await relay.client(), { socket: tcp });
  const session = connectHttp2('https://relay', { createConnection: () => socket });
  const stream = requestTunnel(session, authority());
  stream.end(Buffer.alloc(MAX_TURN_BYTES * 2));
  expect((await textOf(stream)).length).toBe(MAX_TURN_BYTES * 2);
  // the kind of what is in it, and its tag (RFC 8446, section 5.2)
  expect(Math.max(...records)).toBe(RECORD_HEADER_BYTES + RECORD_BYTES + 1 + 16);
  session.destroy();
  far.destroy();
});

it('hears a client that takes nothing of what it is sent', async () => {
  const endless = await TestServer.start((socket) => {
    const more = (): void => {
      while (socket.write(Buffer.alloc(65_536)));
    };
    socket.on('drain', more);
    more();
  });
  const reader = new StoppedReader(relay.tls(await relay.client()));
  const session = connectHttp2('https://relay', { createConnection: () => reader, settings: { initialWindowSize: LARGE_WINDOW_BYTES } });
  await once(session, 'remoteSettings');
  session.setLocalWindowSize(LARGE_WINDOW_BYTES);
  await once(requestTunnel(session, `a.test:${endless.port}`), 'data');
  reader.stop();
  // until all buffers on the way are full
  let taken = -1;
  while (endless.sockets[0]?.bytesWritten !== taken) {
    taken = endless.sockets[0]?.bytesWritten ?? 0;
    await sleep(STILL_MS);
  }
  requestTunnel(session, authority());
  await expect.poll(() => server.sockets.length).toBe(1);
  session.destroy();
  await endless.close();
});

it('the log has no address and no name of a host', async () => {
  const session = await relay.connect(await relay.client());
  for (const target of [authority(), 'secret.test:443', '10.11.12.13:443', '127.0.0.1:25', 'nonsense']) await answerOf(requestTunnel(session, target));
  session.destroy();
  await expect.poll(() => relay.log.some(({ message }) => message === 'carrier ended')).toBe(true);
  expect(JSON.stringify(relay.log)).not.toMatch(/a\.test|secret|10\.11|127\.0|nonsense/);
  expect(relay.log.find(({ message }) => message === 'carrier ended')?.fields).toMatchObject({ client: 'laptop', tunnels: 1, refused: 4 });
});
