import { createServer, type Http2Server } from 'node:http2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Upstream } from './upstream.ts';

const ASKED = 6;
const BODY = 'x'.repeat(30_000);

let server: Http2Server;
let asked: number;
let upstream: Upstream;
/** Streams that have a place among all. */
let open: number;

class CountedCredits extends StreamCredits {
  override open(...options: Parameters<StreamCredits['open']>): ReturnType<StreamCredits['open']> {
    open += 1;
    const credit = super.open(...options);
    return {
      ...credit,
      end: (nowMs) => {
        open -= 1;
        credit.end(nowMs);
      },
    };
  }
}

beforeEach(async () => {
  [asked, open] = [0, 0];
  // what is more than it takes at once leaves before its settings have come
  server = createServer({ settings: { maxConcurrentStreams: 2 } });
  server.on('session', (session) => session.on('frameError', () => undefined));
  server.on('stream', (stream) => {
    asked += 1;
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    stream.end(BODY);
  });
  await listenLocally(server);
  upstream = testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await openSpeaking('h2', portOf(server)), onClosed), { credits: new CountedCredits(() => INITIAL_LINK) });
});
afterEach(() => {
  upstream.close();
  server.close();
});

it('what a server refuses, and undici sends again, has one place among all streams, and none when it has ended', async () => {
  let most = 0;
  const answers = Array.from({ length: ASKED }, (_, index) => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    let bytes = 0;
    upstream.fetch(
      requestTo('http://a.test', { path: `/${index}`, fetchClass: FetchClass.unplaced, index, bytes: 20_000 }),
      sinkOf({
        started: () => (most = Math.max(most, open)),
        data: (chunk) => {
          bytes += chunk.length;
          return null;
        },
        ended: () => resolve(bytes),
        failed: reject,
      }),
    );
    return promise;
  });
  expect(await Promise.all(answers)).toEqual(Array<number>(ASKED).fill(BODY.length));
  expect(most).toBeLessThanOrEqual(ASKED);
  expect(open).toBe(0);
  expect(asked).toBe(ASKED);
});
