import { once } from 'node:events';
import { connect, constants, createServer, type ClientHttp2Session, type Http2Server, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { http2Side, type BrowserSide } from './browserSide.ts';

let server: Http2Server;
let session: ClientHttp2Session;
let side: Promise<BrowserSide>;

beforeEach(async () => {
  server = createServer();
  side = new Promise((resolve) => server.once('request', (request: Http2ServerRequest, response: Http2ServerResponse) => resolve(http2Side(request, response))));
  await listenLocally(server);
  session = connect(`http://127.0.0.1:${portOf(server)}`);
});
afterEach(() => {
  session.destroy();
  server.close();
});

it('over HTTP/2 an answer that is cut off does not look whole, whose length nobody has said', async () => {
  const stream = session.request({ ':path': '/' });
  const seen: string[] = [];
  stream.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
  stream.on('end', () => seen.push('end'));
  stream.on('error', () => undefined);
  const browser = await side;
  let isWhole: boolean | null = null;
  browser.onClose((whole) => (isWhole = whole));
  browser.head(200, '', []);
  browser.sink.write('part');
  await expect.poll(() => seen).toEqual(['part']);
  browser.cutOff();
  await expect.poll(() => stream.closed).toBe(true);
  expect([seen, stream.rstCode, isWhole]).toEqual([['part'], constants.NGHTTP2_INTERNAL_ERROR, false]);
});

it('over HTTP/2 trailers go in all their values, without what is of one connection', async () => {
  const stream = session.request({ ':path': '/' });
  const seen: unknown[] = [];
  stream.on('trailers', (fields: Record<string, unknown>) => seen.push(...Object.entries(fields)));
  stream.resume();
  const browser = await side;
  browser.head(200, '', []);
  browser.trailers(['HTTP2-Settings', 'AAMAAABk', 'X-Sum', '1', 'x-sum', '2']);
  browser.sink.end('body');
  await once(stream, 'close');
  expect(seen).toEqual([['x-sum', '1, 2']]);
});

it('over HTTP/2 nothing of a head that can not be sent goes with the next one', async () => {
  const stream = session.request({ ':path': '/' });
  const response = once(stream, 'response');
  stream.resume();
  const browser = await side;
  expect([browser.head(200, '', ['Content-Encoding', 'br', 'Content-Length', '7', 'a b', 'c']), browser.head(307, '', ['Location', '/', 'Content-Length', '0'])]).toEqual([false, true]);
  browser.sink.end();
  const [fields] = (await response) as [Record<string, unknown>];
  expect(Object.entries(fields).sort()).toEqual([[':status', 307], ['content-length', '0'], ['location', '/']]);
});

it('over HTTP/2 a status is passed on that the protocol does not know, as browsers take it', async () => {
  const stream = session.request({ ':path': '/' });
  const response = once(stream, 'response');
  stream.resume();
  const browser = await side;
  expect(browser.head(999, 'Request denied', ['X-Mine', '1'])).toBe(true);
  browser.sink.end('denied');
  expect((await response)[0]).toMatchObject({ ':status': 999, 'x-mine': '1' });
});

it('over HTTP/2 the head of an answer that nobody takes any more is none that can not be sent', async () => {
  const stream = session.request({ ':path': '/' });
  stream.on('error', () => undefined);
  const browser = await side;
  stream.close(constants.NGHTTP2_CANCEL);
  await expect.poll(() => browser.isGone).toBe(true);
  expect(browser.head(200, '', [])).toBe(true);
});

it.each<[string, (body: Readable | null) => unknown]>([
  ['has had none of', () => undefined],
  ['has had enough of', (body) => body?.resume().once('data', () => body.destroy())],
])('over HTTP/2 a body that its server %s is taken to its end: browsers take no answer before', async (_, take) => {
  const stream = session.request({ ':path': '/', ':method': 'POST' });
  stream.end(Buffer.alloc(8 * 1024 * 1024));
  const browser = await side;
  take(browser.body);
  browser.head(413, '', []);
  browser.sink.end();
  stream.resume();
  await once(stream, 'close');
  expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
});
