import { once } from 'node:events';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestRelay, answerOf, openControl, requestTunnel } from '../testing/testRelay.ts';
import { TestServer } from '../testing/testServer.ts';

const LAYOUT = 0;
const OFF_SCREEN = 6;
const BODY_BYTES = 3_000_000;

let relay: TestRelay;
let session: ClientHttp2Session;
let server: TestServer;
beforeEach(async () => {
  relay = await TestRelay.start();
  session = await relay.connect(await relay.client());
  server = await TestServer.start();
});
afterEach(async () => {
  await relay.close();
  await server.close();
});

async function tunnel(level: number): Promise<ClientHttp2Stream> {
  const stream = requestTunnel(session, `a.test:${server.port}`, level);
  await answerOf(stream);
  return stream;
}

/** Counts what comes. */
function counted(stream: ClientHttp2Stream): () => number {
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  return () => bytes;
}

it('the lower level comes first, whichever was asked for first', async () => {
  const [late, soon] = [await tunnel(OFF_SCREEN), await tunnel(LAYOUT)];
  const [lateBytes, soonBytes] = [counted(late), counted(soon)];
  for (const socket of server.sockets) socket.end(Buffer.alloc(BODY_BYTES));
  await once(soon, 'end');
  expect(soonBytes()).toBe(BODY_BYTES);
  // before the other had a byte ready, the first one had: no more than that
  expect(lateBytes()).toBeLessThan(BODY_BYTES / 2);
  await once(late, 'end');
  expect(lateBytes()).toBe(BODY_BYTES);
});

it('a stream whose reader has stopped holds no other up, though it is more urgent', async () => {
  const [stopped, other] = [await tunnel(LAYOUT), await tunnel(OFF_SCREEN)];
  stopped.pause();
  server.sockets[0]!.end(Buffer.alloc(BODY_BYTES));
  await sleep(100);
  const bytes = counted(other);
  server.sockets[1]!.end(Buffer.alloc(BODY_BYTES));
  await once(other, 'end');
  expect(bytes()).toBe(BODY_BYTES);
  const rest = counted(stopped.resume());
  await once(stopped, 'end');
  expect(rest()).toBe(BODY_BYTES);
});

it('a stream that breaks off in its turn holds no other up', async () => {
  const [broken, other] = [await tunnel(LAYOUT), await tunnel(OFF_SCREEN)];
  const begun = once(broken, 'data');
  const bytes = counted(other);
  for (const socket of server.sockets) socket.end(Buffer.alloc(BODY_BYTES));
  await begun;
  broken.destroy();
  await once(other, 'end');
  expect(bytes()).toBe(BODY_BYTES);
});

it('a new rank is followed while bodies are on the way', async () => {
  const control = openControl(session);
  await answerOf(control.resume());
  const [first, second] = [await tunnel(OFF_SCREEN), await tunnel(OFF_SCREEN)];
  const [firstBytes, secondBytes] = [counted(first), counted(second)];
  // longer than all that buffers of loopback hold
  for (const socket of server.sockets) socket.end(Buffer.alloc(20 * BODY_BYTES));
  await once(first, 'data');
  control.write(`${JSON.stringify({ type: 'rank', ranks: [{ stream: second.id, level: LAYOUT }] })}\n`);
  await once(second, 'end');
  expect(secondBytes()).toBe(20 * BODY_BYTES);
  expect(firstBytes()).toBeLessThan(15 * BODY_BYTES);
  await once(first, 'end');
});
