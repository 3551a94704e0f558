import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { openLocally } from '../testing/loopback.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Fetch } from './fetch.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import type { Upstream } from './upstream.ts';

/** More than a kernel takes unread over loopback. */
const BODY = randomBytes(24 * 1024 * 1024);
/** Longer than what is let come takes over loopback. */
const SOON_MS = 200;

let server: Server;
let upstream: Upstream;
/** Answers that have begun and wait, by path. */
let begun: Map<string, ServerResponse>;
let connections: number;

let authority: TestAuthority;

beforeAll(async () => {
  authority = await testAuthority();
});

const answer: RequestListener = (request, response) => {
  response.on('error', () => undefined);
  const path = request.url ?? '';
  begun.set(path, response);
  if (path.startsWith('/needed')) response.writeHead(200, { 'content-length': BODY.length }).write(BODY.subarray(0, 1_000));
  else if (path.startsWith('/chunked')) response.end(BODY);
  else response.writeHead(200, { 'content-length': BODY.length }).end(BODY);
};

async function start(isSecure: boolean): Promise<void> {
  begun = new Map();
  connections = 0;
  server = isSecure ? createSecureServer({ SNICallback: authority.sniCallback }, answer) : createServer(answer);
  server.on('connection', () => (connections += 1));
  await listenLocally(server);
  const tls = new TlsStarter(authority.certificatePem);
  upstream = testUpstream(async (origin, id, onClosed) => {
    const { socket, rttMs } = await openLocally(portOf(server));
    return new DirectConnection(id, origin, { socket: isSecure ? await tls.start(socket, 'localhost', ['http/1.1']) : socket, rttMs }, onClosed);
  });
}

interface Asked {
  readonly fetch: Fetch;
  readonly bytes: () => number;
  readonly begins: Promise<void>;
  /** Its body's digest. */
  readonly end: Promise<string>;
}

function ask(path: string, fetchClass: FetchClass, index: number): Asked {
  const begins: PromiseWithResolvers<void> = Promise.withResolvers();
  const end = Promise.withResolvers<string>();
  end.promise.catch(() => undefined);
  const hash = createHash('sha256');
  let bytes = 0;
  const fetch = upstream.fetch(
    requestTo('http://a.test', { path, fetchClass, index, bytes: 5_000 }),
    sinkOf({
      started: () => begins.resolve(),
      data: (chunk) => {
        bytes += chunk.length;
        hash.update(chunk);
        return null;
      },
      ended: () => end.resolve(hash.digest('hex')),
      failed: end.reject,
    }),
  );
  return { fetch, bytes: () => bytes, begins: begins.promise, end: end.promise };
}

const digest = createHash('sha256').update(BODY).digest('hex');

/** No patience with what brings nothing ends. */
const stopClock = (): unknown => vi.spyOn(performance, 'now').mockReturnValue(performance.now());

/** Something needed has begun, and is not over. */
async function needed(index = 0): Promise<Asked> {
  const asked = ask(`/needed${index}`, FetchClass.layout, index);
  await asked.begins;
  return asked;
}

describe.each([
  ['in clear', false],
  ['over TLS', true],
] as const)('HTTP/1.1 %s', (_, isSecure) => {
  beforeEach(() => start(isSecure));
  afterEach(async () => {
    vi.restoreAllMocks();
    upstream.close();
    await endServer(server);
  });

  it('what is not in view is not read while what is comes, and is whole when that has come', async () => {
    stopClock();
    const layout = await needed();
    const image = ask('/image', FetchClass.offScreen, 1);
    await image.begins;
    await sleep(SOON_MS);
    expect(image.bytes()).toBeLessThan(200_000);
    // Node holds what the kernel does not take
    expect(begun.get('/image')?.writableFinished).toBe(false);
    begun.get('/needed0')?.end(BODY.subarray(1_000));
    expect(await layout.end).toBe(digest);
    expect(await image.end).toBe(digest);
  });

  it('what turns out not to be in view stops in mid-flight, and goes on when it is in view again', async () => {
    stopClock();
    await needed();
    const image = ask('/image', FetchClass.offScreen, 1);
    await image.begins;
    await sleep(SOON_MS);
    const stopped = image.bytes();
    image.fetch.rank(FetchClass.inView);
    expect(await image.end).toBe(digest);
    expect(stopped).toBeLessThan(BODY.length / 10);
  });

  it('an answer that says no length is read as it comes', async () => {
    await needed();
    expect(await ask('/chunked', FetchClass.offScreen, 1).end).toBe(digest);
  });

  it('what is needed has a connection although images that stand still keep those that there are', async () => {
    await Promise.all([needed(0), needed(8)]);
    const images = [1, 2, 3, 4].map((index) => ask(`/image${index}`, FetchClass.offScreen, index));
    await Promise.all(images.map(({ begins }) => begins));
    const late = ask('/needed7', FetchClass.layout, 7);
    await late.begins;
    expect(images.every(({ bytes }) => bytes() < BODY.length)).toBe(true);
    expect(connections).toBe(7);
  });

  it('one that stands still is given up with its request, and its connection with it', async () => {
    await needed();
    const image = ask('/image', FetchClass.offScreen, 1);
    await image.begins;
    const closed = once(begun.get('/image') as ServerResponse, 'close');
    image.fetch.cancel();
    await closed;
  });

  it('one whose connection is lost while it stands still fails, as it would have', async () => {
    const layout = await needed();
    const image = ask('/image', FetchClass.offScreen, 1);
    await image.begins;
    begun.get('/image')?.socket?.destroy();
    begun.get('/needed0')?.end(BODY.subarray(1_000));
    expect(await layout.end).toBe(digest);
    await expect(image.end).rejects.toThrow('The server ended the connection');
  });
});
