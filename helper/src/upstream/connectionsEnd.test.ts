import { request as httpsRequest } from 'node:https';
import { connect as connectHttp2, createSecureServer, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { ANY_LINK, LOOPBACK, namesBy } from '../testing/loopback.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Fetch, UpstreamRequest } from './fetch.ts';
import { SocketOpener } from './socketOpener.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import type { Upstream } from './upstream.ts';

type Protocol = 'h2' | 'http/1.1';

const PROTOCOLS: readonly Protocol[] = ['h2', 'http/1.1'];
/** More than a server takes that does not read. */
const LARGE_BYTES = 400_000;
/** Longer than what is sent takes over loopback. */
const LATER_MS = 60;
/** More than go at once over either protocol. */
const MANY = 120;

let authority: TestAuthority;
let server: Http2SecureServer;
/** Of the server, to be ended. */
const sockets = new Set<Socket>();
/** What a browser has sent that waits for it. */
let browserAsked: (request: Readable) => void;
let asked: string[];
/** Answers what the server was asked for. */
let late: (() => void)[];
let upstream: Upstream;
/** Connections to the server. */
let openCount: number;
/** Ends the browser's connection. */
let leave: () => void;
/** What would have ended the helper. */
let unhandled: unknown[];

const notice = (error: unknown): void => void unhandled.push(error);

beforeAll(async () => {
  authority = await testAuthority();
  server = createSecureServer({ allowHTTP1: true, SNICallback: authority.sniCallback });
  server.on('secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', answer);
  await listenLocally(server);
  process.on('uncaughtExceptionMonitor', notice).on('unhandledRejection', notice);
});
afterAll(() => {
  process.off('uncaughtExceptionMonitor', notice).off('unhandledRejection', notice);
  server.close();
});

beforeEach(() => {
  [unhandled, asked, late, openCount, leave] = [[], [], [], 0, () => undefined];
});
afterEach(() => {
  leave();
  for (const socket of sockets) socket.destroy();
});

const origin = (): string => `https://localhost:${portOf(server)}`;

/** Reads no body. */
function answer(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const path = request.url;
  if (path === '/browser') {
    browserAsked(request);
    return;
  }
  for (const side of [request, response]) side.on('error', () => undefined);
  asked.push(path);
  if (path === '/part') response.write('part');
  if (path === '/much') response.write(Buffer.alloc(LARGE_BYTES));
  if (path === '/whole') response.end('whole');
  if (path === '/late') late.push(() => {
    if (response.writable) response.end('late');
  });
}

/** @param onOpened called when what has waited for a connection was given to it, and before the server has said anything */
function upstreamOver(protocol: Protocol, onOpened: () => void = () => undefined): Upstream {
  const tls = new TlsStarter(authority.certificatePem);
  const opener = new SocketOpener(namesBy(() => Promise.resolve([LOOPBACK])), ANY_LINK, tls, () => true);
  return testUpstream(async (_, id, onClosed) => {
    const opened = await opener.openFor(origin(), [protocol]);
    setImmediate(onOpened);
    openCount += 1;
    opened.socket.once('close', () => (openCount -= 1));
    return new DirectConnection(id, origin(), opened, onClosed);
  });
}

/** The way back of a request. */
class Way {
  readonly ends: string[] = [];
  hasBegun = false;
  readonly fetch: Fetch;
  isGivenUp = false;

  constructor(path: string, { isPaused = false, ...request }: Partial<UpstreamRequest> & { readonly isPaused?: boolean } = {}) {
    const sink = sinkOf({
      data: () => {
        this.hasBegun = true;
        return isPaused ? new Promise(() => undefined) : null;
      },
      ended: () => this.ends.push('ended'),
      failed: ({ code }) => this.ends.push(code),
    });
    this.fetch = upstream.fetch(requestTo(origin(), { path, ...request }), sink);
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.fetch.cancel();
  }
}

/** What a browser sends to us, begun and in its own words. */
interface Upload {
  readonly length: string;
  readonly bytes: number;
  readonly ends: boolean;
}

const UPLOADS: Readonly<Record<string, Upload>> = {
  'of which nothing has come': { length: String(LARGE_BYTES), bytes: 0, ends: false },
  'of which a part has come': { length: String(LARGE_BYTES), bytes: 1_000, ends: false },
  'that is more than the server takes': { length: String(LARGE_BYTES), bytes: LARGE_BYTES, ends: true },
  'that is empty, without its end': { length: '0', bytes: 0, ends: false },
};

async function bodyFrom(browser: Protocol, { length, bytes, ends }: Upload): Promise<Readable> {
  const { promise, resolve } = Promise.withResolvers<Readable>();
  browserAsked = resolve;
  const ca = authority.certificatePem;
  let upload: Writable;
  if (browser === 'h2') {
    const session = connectHttp2(origin(), { ca }).on('error', () => undefined);
    leave = () => session.destroy();
    upload = session.request({ ':method': 'POST', ':path': '/browser', 'content-length': length });
  } else {
    const request = httpsRequest(`${origin()}/browser`, { ca, method: 'POST', headers: { 'content-length': length } });
    request.flushHeaders();
    leave = () => void request.destroy();
    upload = request;
  }
  upload.on('error', () => undefined);
  if (bytes > 0) upload.write(Buffer.alloc(bytes));
  if (ends) upload.end();
  return promise;
}

const arrived = (path: string): Promise<void> => expect.poll(() => asked).toContain(path);

const SITUATIONS: Readonly<Record<string, () => Promise<Way[]>>> = {
  'just asked for': () => Promise.resolve([new Way('/silent')]),
  'without an answer': async () => {
    const way = new Way('/silent');
    await arrived('/silent');
    return [way];
  },
  'answered in part': async () => {
    const way = new Way('/part');
    await expect.poll(() => way.hasBegun).toBe(true);
    return [way];
  },
  'whose reader takes no more': async () => {
    const way = new Way('/much', { isPaused: true });
    await expect.poll(() => way.hasBegun).toBe(true);
    return [way];
  },
  'answered whole, whose reader takes no more': async () => {
    const way = new Way('/whole', { isPaused: true });
    await expect.poll(() => way.hasBegun).toBe(true);
    await sleep(LATER_MS);
    return [way];
  },
  'in a queue': async () => {
    const ways = Array.from({ length: MANY }, () => new Way('/silent'));
    await arrived('/silent');
    return ways;
  },
  'given up just before': async () => {
    const ways = [new Way('/part'), new Way('/much', { isPaused: true })];
    await expect.poll(() => ways.every(({ hasBegun }) => hasBegun)).toBe(true);
    for (const way of ways) way.giveUp();
    return ways;
  },
  'that have waited, and were given up at once': async () => {
    const ways = Array.from({ length: MANY }, () => new Way('/late', { fetchClass: FetchClass.offScreen, bytes: LARGE_BYTES, isForeseen: true }));
    ways.unshift(new Way('/silent'));
    await arrived('/silent');
    // as where a browser's session ends: one makes room for the next
    for (const way of ways) way.giveUp();
    await sleep(LATER_MS);
    // all the same
    for (const tell of late) tell();
    await sleep(LATER_MS);
    return ways;
  },
};

async function endsOnce(protocol: Protocol, end: () => void, begin: () => Promise<Way[]>): Promise<void> {
  upstream = upstreamOver(protocol);
  const ways = await begin();
  end();
  await sleep(LATER_MS);
  // what was asked for again
  upstream.close();
  leave();
  await expect.poll(() => openCount).toBe(0);
  expect(ways.map(({ ends }) => ends.length)).toEqual(ways.map(({ isGivenUp }) => (isGivenUp ? 0 : 1)));
  expect(unhandled).toEqual([]);
}

describe.each([
  ['as the network has changed', () => upstream.networkChanged(() => false)],
  ['with the helper', () => upstream.close()],
  ['as their server closes them', () => sockets.forEach((socket) => socket.end())],
  ['as their server resets them', () => sockets.forEach((socket) => socket.destroy())],
])('when connections end %s', (_, end) => {
  describe.each(PROTOCOLS)('over %s', (protocol) => {
    it.each(Object.entries(SITUATIONS))('requests %s end once, and nothing else is heard', (__, begin) => endsOnce(protocol, end, begin));

    describe.each(PROTOCOLS)('from a browser over %s', (browser) => {
      it.each(Object.entries(UPLOADS))('a request with a body %s ends once, and nothing else is heard', (__, upload) => endsOnce(protocol, end, async () => {
        const way = new Way('/silent', { method: 'POST', body: await bodyFrom(browser, upload) });
        // HTTP/1.1 asks when the first byte of the body is there
        await sleep(LATER_MS);
        return [way];
      }));
    });
  });
});

describe.each(PROTOCOLS)('over %s', (protocol) => {
  describe.each(PROTOCOLS)('from a browser over %s', (browser) => {
    it.each(Object.entries(UPLOADS))('a request with a body %s may be given up just before', (_, upload) => endsOnce(protocol, () => upstream.close(), async () => {
      const way = new Way('/silent', { method: 'POST', body: await bodyFrom(browser, upload) });
      await sleep(LATER_MS);
      way.giveUp();
      await sleep(LATER_MS);
      return [way];
    }));
  });
});

it('a request with a body may be given up while it waits for the settings of its server', async () => {
  upstream = upstreamOver('h2', () => second.giveUp());
  const [begun, empty] = [UPLOADS['of which a part has come'], UPLOADS['that is empty, without its end']] as [Upload, Upload];
  const bodies = [await bodyFrom('http/1.1', begun), await bodyFrom('h2', empty)] as const;
  const [first, second] = bodies.map((body) => new Way('/silent', { method: 'POST', body })) as [Way, Way];
  await expect.poll(() => second.isGivenUp).toBe(true);
  await sleep(LATER_MS);
  upstream.close();
  expect([first.ends, second.ends]).toEqual([['E_UPSTREAM'], []]);
  expect(unhandled).toEqual([]);
});
