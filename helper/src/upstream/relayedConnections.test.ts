import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { ANY_LINK, LOOPBACK, namesBy } from '../testing/loopback.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { NEVER_MS, TestRelay, type RelayBehaviour } from '../testing/testRelay.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { UNCODED } from '../relay/codingTerms.ts';
import { RefusedHosts } from '../relay/refusedHosts.ts';
import { RelayHosts } from '../relay/relayHosts.ts';
import { RelayRoute } from '../relay/relayRoute.ts';
import { TerminatedHosts } from '../relay/terminatedHosts.ts';
import { DirectConnection } from './directConnection.ts';
import { SocketOpener } from './socketOpener.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';

const HANDSHAKE = 22;
const LARGE_BYTES = 300_000;

let authority: TestAuthority;
let server: Http2SecureServer;
let relay: TestRelay;
let route: RelayRoute;
let sockets: SocketOpener;
let lookedUp: string[];
/** Whose addresses are public. */
let isPublic: boolean;
/** Whether the link is slow enough for the relay. */
let pays: boolean;
/** Paths that the server was asked for, and whether it answers. */
let asked: string[];
let mayAnswer: boolean;
/** It asks who is there. */
let isShy: boolean;

beforeAll(async () => {
  authority = await testAuthority();
  server = createSecureServer({ allowHTTP1: true, SNICallback: authority.sniCallback });
  server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
  server.on('request', (request, response) => {
    asked.push(request.url);
    for (const side of [request, response]) side.on('error', () => undefined);
    if (isShy) response.writeHead(403, { 'cf-mitigated': 'challenge' });
    if (mayAnswer) response.end(Buffer.alloc(LARGE_BYTES, 'x'));
  });
  await listenLocally(server);
});
afterAll(() => endServer(server));
afterEach(async () => {
  route.close();
  await relay.close();
});

async function start(behaviour: RelayBehaviour = {}): Promise<void> {
  [lookedUp, isPublic, pays, asked, mayAnswer, isShy] = [[], true, true, [], true, false];
  relay = await TestRelay.start(behaviour);
  const refusedHosts = new RefusedHosts();
  const hosts = new RelayHosts({ isPublic: () => false, named: () => new Map(), searched: () => [], isRefused: (host) => refusedHosts.has(host, 0) });
  route = new RelayRoute(await relay.carrier(), hosts, { hosts: new TerminatedHosts([], () => false), refusedHosts, coding: () => UNCODED, bodies: null, wallNow: () => 0 }, () => pays);
  const names = namesBy((host) => {
    lookedUp.push(host);
    return Promise.resolve([LOOPBACK]);
  });
  sockets = new SocketOpener(names, ANY_LINK, new TlsStarter(authority.certificatePem), () => isPublic, route);
}

const origin = (): string => `https://a.test:${portOf(server)}`;

/** The length of the body that a connection gets. */
function lengthOver(connection: DirectConnection): Promise<number> {
  return new Promise((resolve, reject) => {
    let length = 0;
    connection.send({ method: 'GET', path: '/', headers: ['host', 'a.test'], body: null }, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (_, chunk) => (length += chunk.length),
      onResponseEnd: () => resolve(length),
      onResponseError: (_, error) => reject(error),
    }, (stream) => stream.give(2 * LARGE_BYTES));
  });
}

describe('a connection of TLS through the relay', () => {
  it('begins with the CONNECT, before its answer', async () => {
    await start({ delayMs: NEVER_MS });
    const opening = sockets.openFor(origin());
    await expect.poll(() => relay.received[0]?.[0]).toBe(HANDSHAKE);
    expect(lookedUp).toEqual([]);
    // it goes on directly
    await relay.kill();
    (await opening).socket.destroy();
  });

  it.each(['h2', 'http/1.1'])('carries %s, and counts bytes and knows its address and level', async (protocol) => {
    await start();
    const opened = await sockets.openFor(origin(), [protocol]);
    const connection = new DirectConnection(1, origin(), opened, () => undefined);
    expect([connection.isH2, connection.isOpen, connection.isRanked, connection.localAddress]).toEqual([protocol === 'h2', true, true, '127.0.0.1']);
    expect(await lengthOver(connection)).toBe(LARGE_BYTES);
    expect(connection.receivedBytes).toBeGreaterThan(LARGE_BYTES);
    expect(opened.rttMs).toBeGreaterThan(0);
    connection.rank(5);
    connection.rank(5);
    await expect.poll(() => relay.said.map((line) => JSON.parse(line) as unknown)).toEqual([{ type: 'rank', ranks: [{ stream: expect.any(Number) as number, level: 5 }] }]);
    connection.destroy();
    await expect.poll(() => connection.isOpen).toBe(false);
  });

  it('is lost with the relay, and says so', async () => {
    await start();
    let isClosed = false;
    const connection = new DirectConnection(1, origin(), await sockets.openFor(origin(), ['http/1.1']), () => (isClosed = true));
    expect(await lengthOver(connection)).toBe(LARGE_BYTES);
    await relay.kill();
    await expect.poll(() => isClosed).toBe(true);
    expect([connection.isOpen, connection.isLostWithRelay]).toEqual([false, true]);
  });

  it('goes directly where the relay refuses it, with the same first message', async () => {
    await start({ refuses: { 'a.test': 'E_CONNECT' } });
    const opened = await sockets.openFor(origin());
    const connection = new DirectConnection(1, origin(), opened, () => undefined);
    expect(await lengthOver(connection)).toBe(LARGE_BYTES);
    expect(lookedUp).toEqual(['a.test']);
    connection.destroy();
  });

  it('fails as the direct way does where neither can be gone', async () => {
    await start({ refuses: { 'a.test': 'E_NAME' } });
    isPublic = false;
    await expect(sockets.openFor(origin())).rejects.toMatchObject({ code: 'E_ADDRESS' });
    await expect(sockets.openFor(origin().replace('https:', 'http:'))).rejects.toMatchObject({ code: 'E_ADDRESS' });
  });

  it.each(['h2', 'http/1.1'])('when the relay is killed, safe requests over %s that had nothing are made again directly, and POST is not', async (protocol) => {
    await start();
    mayAnswer = false;
    const upstream = testUpstream(async (_, id, onClosed) => new DirectConnection(id, origin(), await sockets.openFor(origin(), [protocol]), onClosed));
    const ends: string[] = [];
    const ask = (method: string, path: string, body: Readable | null): unknown =>
      upstream.fetch(requestTo(origin(), { method, path, headers: ['host', 'a.test', ...(body === null ? [] : ['content-length', '1'])], body }), sinkOf({ ended: () => ends.push(`${path} ended`), failed: ({ code }) => ends.push(`${path} ${code}`) }));
    for (const path of ['/1', '/2', '/3']) ask('GET', path, null);
    ask('POST', '/post', Readable.from([Buffer.from('x')]));
    await expect.poll(() => new Set(asked)).toEqual(new Set(['/1', '/2', '/3', '/post']));
    mayAnswer = true;
    await relay.kill();
    await expect.poll(() => ends.toSorted()).toEqual(['/1 ended', '/2 ended', '/3 ended', '/post E_UPSTREAM']);
    expect(asked.filter((path) => path === '/post')).toHaveLength(1);
    expect(lookedUp).toContain('a.test');
    upstream.close();
  });

  it.each(['h2', 'http/1.1'])('is the last one, over %s, of a host that answers it with a challenge: what is asked next goes directly', async (protocol) => {
    await start();
    const ends: string[] = [];
    const upstream = testUpstream(async (_, id, onClosed) => new DirectConnection(id, origin(), await sockets.openFor(origin(), [protocol]), onClosed), { tunnelAnswered: (request, status, fields) => route.answered(request, status, fields) });
    const ask = async (path: string): Promise<void> => {
      upstream.fetch(requestTo(origin(), { path, headers: ['host', 'a.test'] }), sinkOf({ ended: () => ends.push(path) }));
      await expect.poll(() => ends.at(-1)).toBe(path);
    };
    for (const path of ['/1', '/2']) await ask(path);
    expect([relay.asked.length, lookedUp]).toEqual([1, []]);
    isShy = true;
    for (const path of ['/3', '/4']) await ask(path);
    expect([relay.asked.length, lookedUp, asked]).toEqual([1, ['a.test'], ['/1', '/2', '/3', '/4']]);
    upstream.close();
  });

  it('is verified here: the relay is not believed', async () => {
    await start();
    sockets = new SocketOpener(namesBy(() => Promise.reject(new Error('not asked'))), ANY_LINK, new TlsStarter(null), () => true, route);
    await expect(sockets.openFor(origin())).rejects.toMatchObject({ code: 'E_UPSTREAM_TLS' });
  });
});

describe('a server that is nearer than the relay\'s way to it', () => {
  /** @returns whether it went by the relay */
  async function open(): Promise<boolean> {
    const { socket, relayed } = await sockets.openFor(origin());
    socket.destroy();
    return relayed !== undefined;
  }

  async function learn(): Promise<void> {
    await start({ farMs: 10_000 });
    expect([await open(), await open(), await open()]).toEqual([true, true, true]);
    // the link is fast for a while
    pays = false;
    await open();
    pays = true;
  }

  it('is connected to directly, until the network is another one', async () => {
    await learn();
    expect([await open(), lookedUp]).toEqual([false, ['a.test', 'a.test']]);
    route.networkChanged(() => true);
    await expect.poll(open).toBe(true);
  });

  it('is gone to by the relay again where the direct way fails', async () => {
    await learn();
    isPublic = false;
    await expect(open()).rejects.toMatchObject({ code: 'E_ADDRESS' });
    expect(await open()).toBe(true);
  });
});
