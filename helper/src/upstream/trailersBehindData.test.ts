import { createServer, type Http2Server } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectLocally, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { DirectConnection } from './directConnection.ts';

const BODY = Buffer.alloc(200_000, 'x');
const PAUSE_MS = 5;

let server: Http2Server;
beforeEach(async () => {
  server = createServer();
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200 }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'x-end': '1' }));
    stream.end(BODY);
  });
  await listenLocally(server);
});
afterEach(() => void server.close());

it('an answer that is read slowly is whole although fields come behind it', async () => {
  const port = portOf(server);
  const socket = Object.assign(await connectLocally(port), { alpnProtocol: 'h2' });
  const connection = new DirectConnection(1, `http://127.0.0.1:${port}`, { socket, rttMs: 1 }, () => undefined);
  let bytes = 0;
  const trailers = await new Promise<unknown>((resolve, reject) => {
    connection.send({ method: 'GET', path: '/', headers: [] }, {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (controller, { length }) => {
        bytes += length;
        connection.received(length);
        controller.pause();
        void sleep(PAUSE_MS).then(() => controller.resume());
      },
      onResponseEnd: (_, fields) => resolve(fields['x-end']),
      onResponseError: (_, error) => reject(error),
    }, (stream) => stream.give(2 * BODY.length));
  });
  expect([bytes, trailers]).toEqual([BODY.length, '1']);
  connection.destroy();
});
