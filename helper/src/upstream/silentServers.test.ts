import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FLAG, FramesServer, frame, head, piece } from '../testing/framesServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import { FRAME_HEADER_BYTES, FrameType } from './frames.ts';
import type { Upstream } from './upstream.ts';

const PING = 0x6;
const LOOK_MS = 5_000;

let server: FramesServer;
let upstream: Upstream;
/** By its stream and its connection, in its order. */
let asked: { readonly stream: number; readonly socket: Socket }[];
let pings: number;
/** How many pings are answered. */
let pongs: number;
let over: string[];

beforeEach(async () => {
  [asked, pings, pongs, over] = [[], 0, 0, []];
  server = await FramesServer.start(({ type, stream, bytes }, socket) => {
    if (type === FrameType.headers) asked.push({ stream, socket });
    if (type !== PING) return;
    pings += 1;
    if (pongs-- > 0) socket.write(frame(PING, FLAG.ack, 0, bytes.subarray(FRAME_HEADER_BYTES)));
  });
  upstream = testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await openSpeaking('h2', server.port), onClosed));
});
afterEach(() => {
  vi.useRealTimers();
  upstream.close();
  server.close();
});

/** Asks without a browser. */
async function ask(method = 'GET'): Promise<void> {
  const before = asked.length;
  let body = '';
  upstream.fetch(requestTo('https://a.test', { method }), sinkOf({
    data: (chunk) => {
      body += String(chunk);
      return null;
    },
    ended: () => over.push(`${method} ${body}`),
    failed: ({ code }) => over.push(`${method} ${code}`),
  }));
  await expect.poll(() => asked.length).toBe(before + 1);
}

/** Looks after the connections, some time later. @returns how many pings have come */
function look(): number {
  vi.advanceTimersByTime(LOOK_MS);
  upstream.checkConnections();
  return pings;
}

it.each([['that requests join', false], ['that no request joins any more', true]])('a server of HTTP/2 that is there no more is asked whether it is, on a connection %s; what nothing has come of is asked for on another', async (_, isRetired) => {
  pongs = 1;
  await ask();
  if (isRetired) upstream.networkChanged(() => true);
  vi.useFakeTimers({ toFake: ['performance'] });
  await expect.poll(look).toBe(1);
  expect(asked).toHaveLength(1);
  await expect.poll(look).toBe(2);
  await expect.poll(() => [look() >= 2, asked.length]).toEqual([true, 2]);
  expect(asked[1]?.socket).not.toBe(asked[0]?.socket);
  asked[1]?.socket.write(Buffer.concat([head(asked[1].stream), piece(asked[1].stream, 'ok')]));
  await expect.poll(() => over).toEqual(['GET ok']);
});

it('what has begun to come outlasts a link that is away for a while; what may not be made twice is an error', async () => {
  await ask();
  await ask('POST');
  const [get] = asked;
  get?.socket.write(Buffer.concat([head(get.stream), piece(get.stream, 'half', false)]));
  vi.useFakeTimers({ toFake: ['performance'] });
  await expect.poll(look).toBe(1);
  await expect.poll(() => [look(), over]).toEqual([1, ['POST E_UPSTREAM']]);
  // nothing new joins it
  await ask();
  expect(asked[2]?.socket).not.toBe(get?.socket);
  get?.socket.write(piece(get.stream, ' and half'));
  await expect.poll(() => over).toEqual(['POST E_UPSTREAM', 'GET half and half']);
});
