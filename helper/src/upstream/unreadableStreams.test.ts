import { constants } from 'node:http2';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../shared/src/errors.ts';
import { FramesServer, frame, head, piece } from '../testing/framesServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import { FrameType } from './frames.ts';
import type { Upstream } from './upstream.ts';

const RST_STREAM = 0x3;
/** Behind the connection's first one. */
const SECOND_STREAM = 3;

let server: FramesServer;
let upstream: Upstream;
let asked: number;
afterEach(() => {
  upstream.close();
  server.close();
});

/** Answers with this on a connection that has carried another request already. @returns how that went */
async function answeredWith(answer: (stream: number, socket: Socket) => Buffer): Promise<unknown> {
  asked = 0;
  server = await FramesServer.start(({ type, stream }, socket) => {
    if (type !== FrameType.headers) return;
    asked += 1;
    socket.write(stream < SECOND_STREAM ? Buffer.concat([head(stream), piece(stream, 'ok')]) : answer(stream, socket));
  });
  upstream = testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await openSpeaking('h2', server.port), onClosed));
  const ask = (): Promise<unknown> => new Promise((resolve) => {
    let body = '';
    upstream.fetch(requestTo('https://a.test'), sinkOf({
      data: (chunk) => {
        body += String(chunk);
        return null;
      },
      ended: () => resolve(body),
      failed: (error) => resolve(codeOf(error)),
    }));
  });
  expect(await ask()).toBe('ok');
  return ask();
}

describe('an answer over HTTP/2 that browsers take and Node does not is for the browser, and is asked for once', () => {
  it.each([
    ['with a field of one connection, as Apache behind another server sends it', (stream: number) => Buffer.concat([head(stream, [['upgrade', 'h2,h2c']]), piece(stream, 'ok')])],
    ['with a length that is said twice', (stream: number) => Buffer.concat([head(stream, [['content-length', '2'], ['content-length', '2']]), piece(stream, 'ok')])],
    ['that is shorter than it says', (stream: number) => Buffer.concat([head(stream, [['content-length', '9']]), piece(stream, 'ok')])],
  ])('%s', async (_, answer) => {
    expect(await answeredWith(answer)).toBe('E_UPSTREAM_ANSWER');
    expect(asked).toBe(2);
  });
});

describe('an answer over HTTP/2 that is lost is lost for the browser, too', () => {
  const half = (stream: number): Buffer => Buffer.concat([head(stream, [['content-length', '9']]), piece(stream, 'ok', false)]);
  it.each([
    ['by a reset of its server', (stream: number) => Buffer.concat([half(stream), frame(RST_STREAM, 0, stream, Buffer.from([0, 0, 0, constants.NGHTTP2_INTERNAL_ERROR]))])],
    ['with its connection', (stream: number, socket: Socket) => {
      setImmediate(() => socket.end());
      return half(stream);
    }],
  ])('%s', async (_, answer) => {
    expect(await answeredWith(answer)).toBe('E_UPSTREAM');
  });
});
