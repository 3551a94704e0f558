import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { CODED_FIELD, ERROR_FIELD, LEVEL_FIELD } from '../../../shared/src/relay/wire.ts';
import { openLocally } from '../testing/loopback.ts';
import { TestRelay, type RelayBehaviour } from '../testing/testRelay.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from '../upstream/directConnection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { UNCODED } from './codingTerms.ts';
import { RefusedHosts } from './refusedHosts.ts';
import { RelayHosts } from './relayHosts.ts';
import { RelayRoute } from './relayRoute.ts';
import { TerminatedHosts } from './terminatedHosts.ts';

/** A push has come by then; where it has not the test shows less, and passes. */
const PUSHED_MS = 50;

let server: Server;
let port: number;
let relay: TestRelay;
let route: RelayRoute;
let upstream: Upstream;
/** What became of each request: who has answered it, or why nobody has. */
let ends: string[];
/** What has come of the request that was made last. */
let received: string;

beforeEach(async () => {
  ends = [];
  server = await listenLocally(createServer((_request, response) => void response.end('the server')));
  port = portOf(server);
});
afterEach(async () => {
  upstream.close();
  route.close();
  await relay.close();
  await endServer(server);
});

/** @param requested what the relay does with requests; it makes none without */
async function start(requested?: RelayBehaviour['requested']): Promise<void> {
  relay = await TestRelay.start(requested === undefined ? {} : { requested });
  const carrier = await relay.carrier({ wantsPushed: () => true });
  const refusedHosts = new RefusedHosts();
  const hosts = new RelayHosts({ isPublic: () => true, named: () => new Map(), searched: () => [], isRefused: (host) => refusedHosts.has(host, performance.now()) });
  route = new RelayRoute(carrier, hosts, { hosts: new TerminatedHosts(['a.test'], () => false), refusedHosts, coding: () => UNCODED, bodies: null, wallNow: () => performance.now() });
  upstream = testUpstream(async (origin, id, onClosed) => route.terminate(origin, id, onClosed) ?? new DirectConnection(id, origin, await openLocally(port), onClosed));
}

function ask(host: string, path = '/', changes: Partial<UpstreamRequest> = {}): ReturnType<Upstream['fetch']> {
  let body = (received = '');
  return upstream.fetch(requestTo(`http://${host}:${port}`, { path, headers: ['host', host], ...changes }), sinkOf({
    data: (chunk) => {
      received = body += chunk.toString();
      return null;
    },
    ended: () => ends.push(`${host}${path} by ${body}`),
    failed: ({ code }) => ends.push(`${host}${path} ${code}`),
  }));
}

describe('a relay', () => {
  it('makes the requests of the hosts that it may see, and no others', async () => {
    await start((stream) => {
      stream.respond({ ':status': 200 });
      stream.end('the relay');
    });
    ask('a.test');
    ask('b.test');
    await expect.poll(() => ends.toSorted()).toEqual(['a.test/ by the relay', 'b.test/ by the server']);
  });

  it('passes an answer on with all its fields, however their values end', async () => {
    await start((stream) => {
      stream.respond([':status', '200', 'content-security-policy', "default-src 'self'; ", 'set-cookie', 'a=1; ']);
      stream.end('the relay');
    });
    let fields: readonly string[] = [];
    upstream.fetch(requestTo(`http://a.test:${port}`, { headers: ['host', 'a.test'] }), sinkOf({ started: (_status, _text, started) => (fields = started) }));
    await expect.poll(() => fields.slice(0, 4)).toEqual(['content-security-policy', "default-src 'self'; ", 'set-cookie', 'a=1; ']);
  });

  it('that makes none is asked for none', async () => {
    await start();
    ask('a.test');
    await expect.poll(() => ends).toEqual(['a.test/ by the server']);
  });

  it('is told which server will be asked, of each request how urgent it is, and of those that have changed together', async () => {
    const levels: unknown[] = [];
    await start((_stream, headers) => levels.push(headers[LEVEL_FIELD]));
    const fetches = ['/1', '/2'].map((path) => ask('a.test', path, { fetchClass: FetchClass.offScreen }));
    await expect.poll(() => levels).toEqual(['6', '6']);
    for (const fetch of fetches) fetch.rank(FetchClass.inView);
    const said = (type: string): unknown[] => relay.said.map((line) => JSON.parse(line) as { readonly type: string }).filter((message) => message.type === type);
    expect(said('connect')).toContainEqual({ type: 'connect', origin: `http://a.test:${port}` });
    await expect.poll(() => said('rank')).toEqual([{ type: 'rank', ranks: [{ stream: 3, level: 2 }, { stream: 5, level: 2 }] }]);
  });

  it.each(['a push', ''])('answers by a push what would be asked for: "%s"', async (body) => {
    const asked: unknown[] = [];
    await start((stream, headers) => {
      asked.push(headers[':path']);
      stream.pushStream({ ':method': 'GET', ':scheme': 'http', ':authority': `a.test:${port}`, ':path': '/pushed', [LEVEL_FIELD]: '2' }, (_error, pushed) => {
        pushed.respond({ ':status': 200 }, { endStream: body === '' });
        if (body !== '') pushed.end(body);
      });
      stream.respond({ ':status': 200 });
      stream.end('the relay');
    });
    ask('a.test');
    await expect.poll(() => ends).toHaveLength(1);
    await sleep(PUSHED_MS);
    ask('a.test', '/pushed');
    await expect.poll(() => ends).toEqual(['a.test/ by the relay', `a.test/pushed by ${body}`]);
    expect(asked).toEqual(['/']);
  });

  it('may push also while dozens of requests are under way', async () => {
    const asked: unknown[] = [];
    await start((stream, headers) => {
      asked.push(headers[':path']);
      if (headers[':path'] !== '/') return;
      stream.pushStream({ ':method': 'GET', ':scheme': 'http', ':authority': `a.test:${port}`, ':path': '/pushed', [LEVEL_FIELD]: '2' }, (_error, pushed) => {
        pushed.respond({ ':status': 200 });
        pushed.end('a push');
      });
      stream.respond({ ':status': 200 });
      stream.end('the relay');
    });
    const COUNT = 70;
    for (let n = 0; n < COUNT; n += 1) ask('a.test', `/${n}`);
    await expect.poll(() => asked).toHaveLength(COUNT);
    ask('a.test');
    await expect.poll(() => ends).toHaveLength(1);
    await sleep(PUSHED_MS);
    ask('a.test', '/pushed');
    await expect.poll(() => ends).toEqual(['a.test/ by the relay', 'a.test/pushed by a push']);
    expect(asked).toHaveLength(COUNT + 1);
  });

  it('may push an empty answer and say that it is coded, and nobody waits for more', async () => {
    await start((stream) => {
      stream.pushStream({ ':method': 'GET', ':scheme': 'http', ':authority': `a.test:${port}`, ':path': '/pushed', [LEVEL_FIELD]: '2' }, (_error, pushed) => pushed.respond({ ':status': 200, [CODED_FIELD]: 'zstd' }, { endStream: true }));
      stream.respond({ ':status': 200 });
      stream.end('the relay');
    });
    ask('a.test');
    await expect.poll(() => ends).toHaveLength(1);
    await sleep(PUSHED_MS);
    ask('a.test', '/pushed');
    await expect.poll(() => ends).toHaveLength(2);
  });

  it('that refuses a host is asked for nothing more of it, and what it has not done is done directly', async () => {
    await start((stream) => stream.respond({ ':status': 502, [ERROR_FIELD]: 'E_CONNECT' }, { endStream: true }));
    for (const path of ['/1', '/2', '/3']) ask('a.test', path);
    await expect.poll(() => ends.toSorted()).toEqual(['a.test/1 by the server', 'a.test/2 by the server', 'a.test/3 by the server']);
  });

  it('whose host answers with a challenge is not asked for it again', async () => {
    await start((stream) => {
      stream.respond({ ':status': 403, 'cf-mitigated': 'challenge' });
      stream.end('a challenge');
    });
    ask('a.test', '/1');
    await expect.poll(() => ends).toEqual(['a.test/1 by a challenge']);
    ask('a.test', '/2');
    await expect.poll(() => ends).toEqual(['a.test/1 by a challenge', 'a.test/2 by the server']);
  });

  it('that is silent loses what may be made twice to the direct way', async () => {
    let count = 0;
    await start(() => (count += 1));
    ask('a.test', '/get');
    ask('a.test', '/post', { method: 'POST' });
    await expect.poll(() => count).toBe(2);
    relay.goDead();
    await expect.poll(() => ends).toEqual(['a.test/get by the server']);
    await sleep(50);
    expect(ends).toHaveLength(1);
  });

  it('that is killed loses it, too, and POST is not made again', async () => {
    let count = 0;
    await start(() => (count += 1));
    ask('a.test', '/get');
    ask('a.test', '/post', { method: 'POST' });
    await expect.poll(() => count).toBe(2);
    await relay.kill();
    await expect.poll(() => ends.toSorted()).toEqual(['a.test/get by the server', 'a.test/post E_UPSTREAM']);
  });

  it('that falls silent in the middle of the only answer loses it to the direct way', async () => {
    await start((stream) => {
      stream.respond({ ':status': 200, 'content-length': 'the server'.length });
      stream.write('the s');
    });
    ask('a.test');
    await expect.poll(() => received).toBe('the s');
    relay.goDead();
    await expect.poll(() => ends).toEqual(['a.test/ by the server']);
  });
});
