import { createServer, type Http2Server } from 'node:http2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Upstream } from './upstream.ts';

let server: Http2Server;
let upstream: Upstream;
let opened: number;

beforeEach(async () => {
  opened = 0;
  server = await listenLocally(createServer());
  upstream = testUpstream(async (origin, id, onClosed) => {
    opened += 1;
    return new DirectConnection(id, origin, await openSpeaking('h2', portOf(server)), onClosed);
  });
});
afterEach(() => {
  upstream.close();
  server.close();
});

it('beside a connection that carries all no other one is waited for', async () => {
  await upstream.prepare('http://a.test');
  await upstream.prepare('http://a.test', true, 2);
  expect(opened).toBe(1);
});
