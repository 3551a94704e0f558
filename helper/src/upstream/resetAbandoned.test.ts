import { constants, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { PassThrough, type Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { DirectConnection } from './directConnection.ts';

let server: Http2Server;
let streams: ServerHttp2Stream[];
let connection: DirectConnection;
let isClosed: boolean;

beforeEach(async () => {
  [streams, isClosed] = [[], false];
  server = createServer();
  server.on('stream', (stream) => void streams.push(stream.on('error', () => undefined)));
  await listenLocally(server);
  connection = new DirectConnection(0, 'http://a.test', await openSpeaking('h2', portOf(server)), () => (isClosed = true));
});
afterEach(() => server.close());

/** @returns what gives it up */
async function send(method: string, body: Readable | null, failed: () => void): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<Dispatcher.DispatchController>();
  connection.send({ method, path: '/', headers: [], body }, { onRequestStart: resolve, onResponseStart: () => undefined, onResponseData: () => undefined, onResponseEnd: () => undefined, onResponseError: failed }, () => undefined);
  const controller = await promise;
  return () => controller.abort(new Error('wanted no more'));
}

/** Whether the end of its connection is heard of by nobody else. */
async function endConnection(): Promise<void> {
  connection.destroy();
  await expect.poll(() => isClosed).toBe(true);
}

describe('a request over HTTP/2 that is given up', () => {
  it('in the moment it is sent, is ended at the server', async () => {
    let failures = 0;
    const giveUp = await send('GET', null, () => (failures += 1));
    giveUp();
    await expect.poll(() => streams[0]?.rstCode).toBe(constants.NGHTTP2_CANCEL);
    await endConnection();
    expect(failures).toBe(1);
  });

  it('with a body that the server does not take, likewise', async () => {
    let failures = 0;
    const body = new PassThrough();
    const giveUp = await send('POST', body, () => (failures += 1));
    body.end(Buffer.alloc(1_000_000));
    await expect.poll(() => streams.length).toBe(1);
    await expect.poll(() => body.readableLength).toBe(0);
    giveUp();
    await expect.poll(() => streams[0]?.rstCode).toBe(constants.NGHTTP2_CANCEL);
    await endConnection();
    expect(failures).toBe(1);
  });

  it('with a body that is cut off, does not look whole', async () => {
    const seen: string[] = [];
    const body = new PassThrough();
    const giveUp = await send('POST', body, () => undefined);
    body.write('part');
    await expect.poll(() => streams.length).toBe(1);
    streams[0]?.on('data', (chunk: Buffer) => seen.push(chunk.toString())).once('end', () => seen.push('end'));
    await expect.poll(() => seen).toEqual(['part']);
    giveUp();
    await expect.poll(() => streams[0]?.closed).toBe(true);
    expect([seen, streams[0]?.rstCode]).toEqual([['part'], constants.NGHTTP2_INTERNAL_ERROR]);
    await endConnection();
  });
});
