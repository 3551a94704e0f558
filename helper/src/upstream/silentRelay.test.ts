import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { Readable, type Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { LEVEL_FIELD } from '../../../shared/src/relay/wire.ts';
import { UNCODED } from '../relay/codingTerms.ts';
import { RelayCarrier } from '../relay/relayCarrier.ts';
import { RelayConnection } from '../relay/relayConnection.ts';
import { RelayHosts } from '../relay/relayHosts.ts';
import { RelayRoute, type Termination } from '../relay/relayRoute.ts';
import type { RelayedSocket } from '../relay/relayedSocket.ts';
import { TerminatedHosts } from '../relay/terminatedHosts.ts';
import { ANY_LINK, LOOPBACK, namesBy, openLocally } from '../testing/loopback.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { TestRelay } from '../testing/testRelay.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { OpenedTcp } from './openSocket.ts';
import { SocketOpener } from './socketOpener.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import type { Upstream } from './upstream.ts';

const BODY = Buffer.from(Array.from({ length: 30_000 }, (_, place) => `line ${place}\n`).join(''));
const HALF = BODY.subarray(0, BODY.length / 2);
/** The relay makes the requests. */
const TERMINATED = 'requests of the relay';
/** That, or tunnels in which this is spoken. */
const WAYS = ['h2', 'http/1.1', TERMINATED];

let authority: TestAuthority;
let server: Http2SecureServer;
let relay: TestRelay;
let route: RelayRoute;
let upstream: Upstream;
/** Paths that the server was asked for, and answers that wait. */
let asked: string[];
let held: Map<string, { readonly out: Writable; readonly end: (body: Buffer) => void }[]>;
let mayAnswer: boolean;
/** What became of each path, and what of it has come. */
let outcomes: Map<string, string>;
let bodies: Map<string, Buffer[]>;
/** Direct connections to the server, and what each waits for before it is there. */
let directs: number;
let gate: Promise<void>;

beforeAll(async () => {
  authority = await testAuthority();
  server = createSecureServer({ allowHTTP1: true, SNICallback: authority.sniCallback });
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.on('request', (request, response) => {
    for (const side of [request, response]) side.on('error', () => undefined);
    answer(request.url, response, () => response.setHeader('content-length', BODY.length));
  });
  await listenLocally(server);
});
afterAll(() => endServer(server));
afterEach(async () => {
  upstream.close();
  route.close();
  await relay.close();
});

const toRelay = (): Promise<OpenedTcp> => openLocally(relay.config.port);
const origin = (): string => `https://a.test:${portOf(server)}`;
const lengthOf = (path: string): number => (bodies.get(path) ?? []).reduce((sum, { length }) => sum + length, 0);
const times = (path: string): number => asked.filter((each) => each === path).length;

/** @param begin says that an answer comes */
function answer(path: string, out: Writable, begin: () => unknown): void {
  asked.push(path);
  const isHalved = path === '/half' && !mayAnswer && times(path) === 1;
  if (mayAnswer || isHalved) begin();
  if (isHalved) out.write(HALF);
  const end = (body: Buffer): void => {
    if (!isHalved) begin();
    out.end(body);
  };
  if (mayAnswer) out.end(BODY);
  else held.set(path, [...(held.get(path) ?? []), { out, end }]);
}

/** An upstream whose connections go by this carrier where it is there. @param way of WAYS */
function begin(way: string, carrier: ConstructorParameters<typeof RelayRoute>[0]): void {
  [asked, mayAnswer, directs, gate] = [[], true, 0, Promise.resolve()];
  held = new Map();
  outcomes = new Map();
  bodies = new Map();
  const termination: Termination | null = way !== TERMINATED ? null : { hosts: new TerminatedHosts(['a.test'], () => false), refusedHosts: { answered: () => false }, coding: () => UNCODED, bodies: null, wallNow: () => 0 };
  route = new RelayRoute(carrier, new RelayHosts({ isPublic: () => false, named: () => new Map(), searched: () => [] }), termination);
  const names = namesBy(async () => {
    directs += 1;
    await gate;
    return [LOOPBACK];
  });
  const sockets = new SocketOpener(names, ANY_LINK, new TlsStarter(authority.certificatePem), () => true, route);
  upstream = testUpstream(
    async (_, id, onClosed) => route.terminate(origin(), id, onClosed) ?? new DirectConnection(id, origin(), await sockets.openFor(origin(), [way === TERMINATED ? 'h2' : way]), onClosed),
    { isRelayed: (to) => route.terminates(to) },
  );
}

function ask(path: string, method = 'GET'): void {
  const body = method === 'POST' ? Readable.from([Buffer.from('x')]) : null;
  upstream.fetch(requestTo(origin(), { method, path, headers: ['host', 'a.test', ...(body === null ? [] : ['content-length', '1'])], body }), sinkOf({
    data: (chunk) => {
      bodies.set(path, [...(bodies.get(path) ?? []), chunk]);
      return null;
    },
    ended: () => outcomes.set(path, Buffer.concat(bodies.get(path) ?? []).equals(BODY) ? 'whole' : 'other bytes'),
    failed: ({ code }) => outcomes.set(path, code),
  }));
}

describe('a relay that falls silent while requests wait', () => {
  let connection: RelayConnection;
  let isSilent: boolean;
  let overtakings: number;
  /** Paths of requests that the relay was asked for. */
  const byRelay: string[] = [];

  /** A relay whose silence is for the test to tell: no clock has a part in it. */
  async function start(way: string): Promise<void> {
    relay = await TestRelay.start({ requested: (stream, { ':path': path = '' }) => answer(path, stream, () => stream.respond({ ':status': 200, 'content-length': BODY.length })) });
    [isSilent, overtakings] = [false, 0];
    connection = await RelayConnection.open(relay.config, toRelay, { heard: () => (isSilent = false), used: () => undefined, isSilent: () => isSilent, overtaken: () => (overtakings += 1), ended: () => undefined, wantsPushed: () => true }, new AbortController().signal);
    begin(way, { rttMs: 150, tunnel: (host, port, level) => (isSilent ? null : connection.tunnel(host, port, level)), requests: () => (isSilent ? null : connection), tellKept: () => undefined, networkChanged: () => undefined, close: () => connection.destroy() });
  }

  async function fallSilent(): Promise<void> {
    relay.goDead();
    // what has left it before is heard: in the second turn each socket has been read
    await turn();
    await turn();
    isSilent = true;
  }

  it.each(WAYS)('by %s: what nothing has come of, and what has begun, is asked for directly, once, when the direct way is there; POST is not', async (way) => {
    await start(way);
    mayAnswer = false;
    for (const path of ['/half', '/1', '/2']) ask(path);
    ask('/post', 'POST');
    await expect.poll(() => asked.toSorted()).toEqual(['/1', '/2', '/half', '/post']);
    await expect.poll(() => lengthOf('/half')).toBe(HALF.length);
    await fallSilent();
    mayAnswer = true;
    connection.race();
    // the relay was not given up
    await expect.poll(() => [outcomes.get('/1'), outcomes.get('/2'), outcomes.get('/half')]).toEqual(['whole', 'whole', 'whole']);
    expect(overtakings).toBeGreaterThan(0);
    // what is new goes directly, too
    ask('/3');
    await expect.poll(() => outcomes.get('/3')).toBe('whole');
    expect(outcomes.get('/post')).toBeUndefined();
    connection.destroy();
    await expect.poll(() => outcomes.get('/post')).toBe('E_UPSTREAM');
    expect(['/1', '/2', '/3', '/half', '/post'].map(times)).toEqual([2, 2, 1, 2, 1]);
  });

  it.each(WAYS)('by %s: what has begun goes on by the relay that is back before anything new has come directly', async (way) => {
    await start(way);
    mayAnswer = false;
    ask('/half');
    await expect.poll(() => lengthOf('/half')).toBe(HALF.length);
    await fallSilent();
    connection.race();
    await expect.poll(() => times('/half')).toBe(2);
    const [first, second] = held.get('/half') ?? [];
    let isLeft = false;
    second?.out.once('close', () => (isLeft = true));
    relay.comeBack();
    first?.end(BODY.subarray(HALF.length));
    await expect.poll(() => [outcomes.get('/half'), isLeft]).toEqual(['whole', true]);
    expect(times('/half')).toBe(2);
  });

  it.each(WAYS)('by %s: nothing is asked twice where the relay is back before the direct way is there', async (way) => {
    await start(way);
    mayAnswer = false;
    ask('/1');
    ask('/post', 'POST');
    await expect.poll(() => asked.toSorted()).toEqual(['/1', '/post']);
    const { promise, resolve }: PromiseWithResolvers<void> = Promise.withResolvers();
    gate = promise;
    await fallSilent();
    connection.race();
    await expect.poll(() => directs).toBeGreaterThan(0);
    relay.comeBack();
    for (const { end } of [...held.values()].flat()) end(BODY);
    await expect.poll(() => isSilent).toBe(false);
    resolve();
    await expect.poll(() => [outcomes.get('/1'), outcomes.get('/post')]).toEqual(['whole', 'whole']);
    expect([times('/1'), times('/post'), overtakings]).toEqual([1, 1, 0]);
  });

  it('what is asked for when the relay is back after all goes by it again, and what it has promised is asked for by nobody else', async () => {
    await start(TERMINATED);
    relay.behaviour = {
      requested: (stream, { ':path': path = '', ':authority': authority = '' }) => {
        byRelay.push(path);
        if (path === '/page') {
          stream.pushStream({ ':scheme': 'https', ':authority': authority, ':path': '/promised', [LEVEL_FIELD]: '1' }, (_error, push) => answer('/promised', push, () => push.respond({ ':status': 200, 'content-length': BODY.length })));
          stream.respond({ ':status': 200, 'content-length': BODY.length });
          stream.write(HALF);
        } else answer(path, stream, () => stream.respond({ ':status': 200, 'content-length': BODY.length }));
      },
    };
    ask('/page');
    await expect.poll(() => [lengthOf('/page'), times('/promised')]).toEqual([HALF.length, 1]);
    await fallSilent();
    connection.race();
    await expect.poll(() => outcomes.get('/page')).toBe('whole');
    ask('/1');
    await expect.poll(() => outcomes.get('/1')).toBe('whole');
    relay.comeBack();
    isSilent = false;
    for (const path of ['/promised', '/2']) ask(path);
    await expect.poll(() => [outcomes.get('/promised'), outcomes.get('/2')]).toEqual(['whole', 'whole']);
    expect([byRelay, times('/promised')]).toEqual([['/page', '/2'], 1]);
  });

  it.each(WAYS)('by %s: waits for the relay where the direct way does not work', async (way) => {
    await start(way);
    mayAnswer = false;
    ask('/1');
    await expect.poll(() => asked).toEqual(['/1']);
    gate = Promise.reject(new Error('no way'));
    gate.catch(() => undefined);
    await fallSilent();
    connection.race();
    await expect.poll(() => directs).toBeGreaterThan(0);
    relay.comeBack();
    for (const { end } of [...held.values()].flat()) end(BODY);
    await expect.poll(() => outcomes.get('/1')).toBe('whole');
    expect(times('/1')).toBe(1);
  });
});

describe('a page through a carrier with its own clock', () => {
  let messages: string[];

  async function start(): Promise<void> {
    relay = await TestRelay.start();
    messages = [];
    begin('h2', new RelayCarrier({ config: relay.config, connect: toRelay, roundTrip: () => undefined, log: ({ message }) => messages.push(message) }));
    await expect.poll(() => messages).toEqual(['connected']);
  }

  it('is whole when the relay is killed; when it is there again it is used again', async () => {
    await start();
    mayAnswer = false;
    ask('/1');
    ask('/post', 'POST');
    await expect.poll(() => asked.toSorted()).toEqual(['/1', '/post']);
    mayAnswer = true;
    await relay.kill();
    await expect.poll(() => [outcomes.get('/1'), outcomes.get('/post')]).toEqual(['whole', 'E_UPSTREAM']);
    await relay.restart();
    await expect.poll(() => messages.filter((message) => message === 'connected').length).toBe(2);
    upstream.retireConnections();
    const before = relay.asked.length;
    ask('/2');
    await expect.poll(() => outcomes.get('/2')).toBe('whole');
    expect([relay.asked.length > before, times('/1'), times('/2'), times('/post')]).toEqual([true, 2, 1, 1]);
  });

  it('is whole, and nothing is asked twice, when bytes of the relay trickle', async () => {
    await start();
    relay.trickle();
    const paths = ['/1', '/2', '/3'];
    for (const path of paths) ask(path);
    ask('/post', 'POST');
    await expect.poll(() => [...paths, '/post'].map((path) => outcomes.get(path))).toEqual(['whole', 'whole', 'whole', 'whole']);
    expect(times('/post')).toBe(1);
  });

  it('is whole when the relay is blackholed for good', async () => {
    await start();
    mayAnswer = false;
    ask('/1');
    ask('/post', 'POST');
    await expect.poll(() => asked.toSorted()).toEqual(['/1', '/post']);
    mayAnswer = true;
    relay.goDead();
    await expect.poll(() => [outcomes.get('/1'), outcomes.get('/post')]).toEqual(['whole', 'E_UPSTREAM']);
    expect([times('/1'), times('/post')]).toEqual([2, 1]);
  });
});

it('a handshake in which the relay is lost after the first bytes of the server is begun anew directly', async () => {
  relay = await TestRelay.start();
  const messages: string[] = [];
  const carrier = new RelayCarrier({ config: relay.config, connect: toRelay, roundTrip: () => undefined, log: ({ message }) => messages.push(message) });
  begin('h2', carrier);
  await expect.poll(() => messages).toEqual(['connected']);
  let way: RelayedSocket | null = null as RelayedSocket | null;
  // the first connection says three bytes of a record of TLS and no more
  let connections = 0;
  const stuck = await listenLocally(createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    if (connections === 1) socket.once('data', () => socket.write(Buffer.from([22, 3, 3])));
    else socket.pipe(connect(portOf(server), '127.0.0.1')).on('error', () => undefined).pipe(socket);
  }));
  const sockets = new SocketOpener(namesBy(() => Promise.resolve([LOOPBACK])), ANY_LINK, new TlsStarter(authority.certificatePem), () => true, { open: (...of) => (way = route.open(...of)), openedDirectly: (...of) => route.openedDirectly(...of) });
  const opening = sockets.openFor(`https://a.test:${portOf(stuck)}`, ['h2']);
  await expect.poll(() => way?.bytesRead).toBe(3);
  await relay.kill();
  const opened = await opening;
  expect([opened.relayed === undefined, connections]).toEqual([true, 2]);
  opened.socket.destroy();
  await endServer(stuck);
});
