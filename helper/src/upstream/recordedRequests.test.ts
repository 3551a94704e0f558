import { createServer as createHttp1Server, type Server, type ServerResponse } from 'node:http';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';
import { RequestRecorder } from '../../../shared/src/requests/requestRecorder.ts';
import { requestWays, type RequestWay } from '../../../shared/src/requests/requestWays.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Fetch } from './fetch.ts';
import type { Upstream } from './upstream.ts';

const ORIGIN = 'http://a.test';
const IMAGE_BYTES = 200_000;
const LAYOUT_BYTES = 500_000;

let server: Http2Server;
let layout: ServerHttp2Stream | null;
let upstream: Upstream;
let events: RequestEvent[];

beforeEach(async () => {
  [layout, events] = [null, []];
  server = createServer();
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (headers[':path'] === '/broken') stream.close(2);
    else if (headers[':path'] === '/layout') {
      layout = stream;
      stream.respond({ ':status': 200, 'content-length': LAYOUT_BYTES });
      stream.write('x'.repeat(1_000));
    } else {
      stream.respond({ ':status': 200, 'content-length': IMAGE_BYTES });
      stream.end('x'.repeat(IMAGE_BYTES));
    }
  });
  upstream = await upstreamTo(server, 'h2');
});
afterEach(() => {
  upstream.close();
  server.close();
});

async function upstreamTo(listening: Http2Server | Server, protocol: Parameters<typeof openSpeaking>[0]): Promise<Upstream> {
  await listenLocally(listening);
  return testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await openSpeaking(protocol, portOf(listening)), onClosed), {
    recording: { recorder: new RequestRecorder((event) => events.push(event), () => performance.now()) },
  });
}

function ask(path: string, fetchClass: FetchClass, isForeseen = false): Fetch {
  return upstream.fetch(requestTo(ORIGIN, { path, fetchClass, bytes: 20_000, isForeseen }), sinkOf());
}

function wayOf(path: string): RequestWay {
  const way = requestWays(events).requests.find(({ url }) => url === `${ORIGIN}${path}`);
  if (way === undefined) throw new Error(`${path} was not recorded`);
  return way;
}

/** What has happened, in the order in which it can happen. */
function moments({ foreseenMs, sentMs, headMs, firstByteMs, endMs }: RequestWay): number[] {
  return [foreseenMs, sentMs, headMs, firstByteMs, endMs].filter((ms) => ms !== null);
}

it('records the way of each request: what waits, is stopped beside what is needed, goes on, fails or is wanted no more', async () => {
  ask('/layout', FetchClass.layout);
  await expect.poll(() => wayOf('/layout').firstByteMs).not.toBeNull();
  const foreseen = ask('/foreseen', FetchClass.inView, true);
  ask('/image', FetchClass.offScreen);
  ask('/broken', FetchClass.layout);
  await expect.poll(() => wayOf('/image').stops).toHaveLength(1);
  const unwanted = ask('/unwanted', FetchClass.offScreen);
  await expect.poll(() => wayOf('/unwanted').sentMs).not.toBeNull();
  unwanted.cancel();
  unwanted.cancel();
  layout?.end('x'.repeat(LAYOUT_BYTES - 1_000));
  await expect.poll(() => wayOf('/image').endMs).not.toBeNull();
  await expect.poll(() => wayOf('/foreseen').endMs).not.toBeNull();
  foreseen.await(FetchClass.inView, null);

  expect(wayOf('/layout')).toMatchObject({ waits: [{ reason: 'connection' }], ending: 'whole', bytes: LAYOUT_BYTES, stops: [], sentClass: FetchClass.layout, foreseenMs: null });
  expect(wayOf('/image')).toMatchObject({ ending: 'whole', bytes: IMAGE_BYTES, endClass: FetchClass.offScreen });
  expect(wayOf('/foreseen')).toMatchObject({ ending: 'whole', bytes: IMAGE_BYTES, stops: [] });
  expect(wayOf('/foreseen').askedMs).toBeGreaterThanOrEqual(wayOf('/foreseen').endMs ?? Infinity);
  expect(wayOf('/broken')).toMatchObject({ ending: 'failed', headMs: null, bytes: 0 });
  expect(wayOf('/unwanted')).toMatchObject({ ending: 'cancelled' });
  for (const way of requestWays(events).requests) expect(moments(way)).toEqual(moments(way).toSorted((a, b) => a - b));
  const ends = events.flatMap((event) => (event.type === 'end' ? [event.request] : []));
  expect(ends.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
});

it('records over HTTP/1.1 that a body is read no more, once its first piece has come, and read on', async () => {
  let layoutAnswer: ServerResponse | undefined;
  const http1 = createHttp1Server((request, response) => {
    response.writeHead(200, { 'content-length': LAYOUT_BYTES });
    if (request.url === '/layout') (layoutAnswer = response).write('x'.repeat(1_000));
    else response.end('x'.repeat(LAYOUT_BYTES));
  });
  upstream.close();
  upstream = await upstreamTo(http1, 'http/1.1');
  ask('/layout', FetchClass.layout);
  await expect.poll(() => wayOf('/layout').firstByteMs).not.toBeNull();
  // the first one has what keeps from starving
  for (const path of ['/other', '/image']) ask(path, FetchClass.offScreen);
  await expect.poll(() => wayOf('/image').stops).toHaveLength(1);
  layoutAnswer?.end('x'.repeat(LAYOUT_BYTES - 1_000));
  await expect.poll(() => wayOf('/image').endMs).not.toBeNull();
  const steps = events.flatMap((event) => ('request' in event && event.request === 2 && ['head', 'firstByte', 'preempted', 'resumed', 'end'].includes(event.type) ? [event] : []));
  expect(steps.slice(0, 3).map(({ type }) => type)).toEqual(['head', 'firstByte', 'preempted']);
  expect(wayOf('/image')).toMatchObject({ ending: 'whole', bytes: LAYOUT_BYTES });
  expect(wayOf('/layout')).toMatchObject({ ending: 'whole', stops: [] });
  http1.close();
});
