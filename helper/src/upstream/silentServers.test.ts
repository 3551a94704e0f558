import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FLAG, FramesServer, frame, head, piece } from '../testing/framesServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import { FRAME_HEADER_BYTES, FrameType, windowUpdate } from './frames.ts';
import type { Upstream } from './upstream.ts';

const [PING, GOAWAY] = [0x6, 0x7];
const LOOK_MS = 5_000;
/** As much as a server of a large window lets come without a word. */
const WINDOW_BYTES = 2 ** 30;

let server: FramesServer;
let upstream: Upstream;
/** To the server, the latest. */
let way: Socket;
/** By its stream and its connection, in its order. */
let asked: { readonly stream: number; readonly socket: Socket }[];
let pings: number;
/** How many pings are answered. */
let pongs: number;
/** How often a client has said that it goes away. */
let goaways: number;
/** Of bodies, how much has come, and behind how much its server reads no more. */
let [bodyBytes, readTo] = [0, Infinity];
let over: string[];

beforeEach(async () => {
  [asked, pings, pongs, goaways, bodyBytes, readTo, over] = [[], 0, 0, 0, 0, Infinity, []];
  server = await FramesServer.start(({ type, stream, bytes }, socket) => {
    if (type === FrameType.headers) asked.push({ stream, socket });
    if (type === GOAWAY) goaways += 1;
    if (type === FrameType.data) bodyBytes += bytes.length;
    if (bodyBytes >= readTo) socket.pause();
    if (type !== PING) return;
    pings += 1;
    if (pongs-- > 0) socket.write(frame(PING, FLAG.ack, 0, bytes.subarray(FRAME_HEADER_BYTES)));
  });
  upstream = testUpstream(async (origin, id, onClosed) => {
    const opened = await openSpeaking('h2', server.port);
    way = opened.socket;
    return new DirectConnection(id, origin, opened, onClosed);
  });
});
afterEach(() => {
  vi.useRealTimers();
  upstream.close();
  server.close();
});

/** Asks without a browser. */
async function ask(method = 'GET', body: Readable | null = null): Promise<void> {
  const before = asked.length;
  let answer = '';
  upstream.fetch(requestTo('https://a.test', { method, body }), sinkOf({
    data: (chunk) => {
      answer += String(chunk);
      return null;
    },
    ended: () => over.push(`${method} ${answer}`),
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

it('a server that goes away may work for long on what it has taken: it can not be asked', async () => {
  await ask('POST');
  const [post] = asked;
  post?.socket.write(frame(GOAWAY, 0, 0, Buffer.from([0, 0, 0, post.stream, 0, 0, 0, 0])));
  await expect.poll(() => goaways).toBe(1);
  vi.useFakeTimers({ toFake: ['performance'] });
  for (let times = 0; times < 8; times += 1) look();
  expect(over).toEqual([]);
  post?.socket.write(Buffer.concat([head(post.stream), piece(post.stream, 'ok')]));
  await expect.poll(() => over).toEqual(['POST ok']);
});

it('a server that takes a long body slowly is there: the question would stand behind it', async () => {
  const [piecesBytes, pieces] = [1024 * 1024, 48];
  readTo = piecesBytes;
  await ask('POST', Readable.from(Array<Buffer>(pieces).fill(Buffer.alloc(piecesBytes))));
  const [post] = asked;
  post?.socket.write(Buffer.concat([windowUpdate(0, WINDOW_BYTES), windowUpdate(post.stream, WINDOW_BYTES)]));
  vi.useFakeTimers({ toFake: ['performance'] });
  const left = (): number => (way.writableLength > 0 ? way.bytesWritten - way.writableLength : 0);
  for (let times = 0; times < 8; times += 1) {
    const before = left();
    readTo += 4 * piecesBytes;
    post?.socket.resume();
    // the kernels of both have room of their own, and tell of it in their own time
    await expect.poll(left).toBeGreaterThan(before);
    look();
  }
  expect([over, pings]).toEqual([[], 0]);
  readTo = Infinity;
  post?.socket.resume();
  await expect.poll(() => bodyBytes).toBeGreaterThanOrEqual(pieces * piecesBytes);
  post?.socket.write(Buffer.concat([head(post.stream), piece(post.stream, 'ok')]));
  await expect.poll(() => over).toEqual(['POST ok']);
});
