import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { openLocally } from '../testing/loopback.ts';
import { RawServer } from '../testing/rawServer.ts';
import type { UpstreamRequest } from './fetch.ts';
import { DirectConnection } from './directConnection.ts';
import { PlainFlow } from './plainFlow.ts';
import { transfer } from './transfer.ts';

const REQUEST: UpstreamRequest = { method: 'GET', origin: 'http://a.test', path: '/', headers: [], body: null, browser: null, fetchClass: 0, index: 0, bytes: 1, isForeseen: false };
const TURNS_MS = 1;

/** Makes one request. @returns where its pieces were, and how many bytes they were; it holds the connection up after every second piece */
async function piecesOf(connection: DirectConnection): Promise<readonly (readonly [offset: number | null, bytes: number])[]> {
  const pieces: (readonly [number | null, number])[] = [];
  await new Promise<void>((resolve, reject) => {
    const data = (chunk: Buffer): Promise<void> | null => {
      pieces.push([connection.flow?.offsetOf(chunk) ?? null, chunk.length]);
      return pieces.length % 2 === 0 ? new Promise((go) => setTimeout(go, TURNS_MS)) : null;
    };
    const nothing = (): void => undefined;
    transfer(REQUEST, { informed: nothing, started: nothing, data }, connection, {
      headers: [], mayRepeat: false, isWanted: () => true, lost: nothing, isCredited: false, told: { level: 0, pushes: null }, left: nothing, answered: nothing, received: nothing, held: nothing,
      ended: () => resolve(), repeat: reject, unusable: nothing, failed: reject,
    });
  });
  return pieces;
}

it('knows where each piece of a body stands in the stream, on a connection that carries several, however they come', async () => {
  const answer = fc.record({ before: fc.constantFrom('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'), field: fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 300 }), bytes: fc.integer({ min: 1, max: 40_000 }), cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }) });
  await fc.assert(fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 4 }), async (answers) => {
    let turn = 0;
    const server = await RawServer.start(async (socket: Socket) => {
      const { before, field, bytes, cuts } = answers[turn++] ?? { before: '', field: '', bytes: 0, cuts: [] };
      const whole = Buffer.concat([Buffer.from(`${before}HTTP/1.1 200 OK\r\nX: ${field}\r\nContent-Length: ${bytes}\r\n\r\n`), Buffer.alloc(bytes, 1)]);
      // an interim answer that is ignored comes in one piece
      const places = [0, ...cuts.map((cut) => before.length + Math.floor(cut * (whole.length - before.length))).sort((a, b) => a - b), whole.length];
      for (const [place, from] of places.slice(0, -1).entries()) await new Promise((sent) => socket.write(whole.subarray(from, places[place + 1]), sent));
    });
    const connection = new DirectConnection(0, REQUEST.origin, await openLocally(server.port), () => undefined);
    let sent = 0;
    for (const { before, field, bytes } of answers) {
      sent += `${before}HTTP/1.1 200 OK\r\nX: ${field}\r\nContent-Length: ${bytes}\r\n\r\n`.length;
      const pieces = await piecesOf(connection);
      for (const [offset, length] of pieces) {
        expect(offset).toBe(sent);
        sent += length;
      }
      expect(connection.receivedBytes).toBe(sent);
    }
    connection.destroy();
    await server.close();
  }), { numRuns: 40 });
});

it('does not know of bytes that are not what was read last', async () => {
  const server = await listenLocally(createServer((socket) => socket.write('hello')));
  const { socket, rttMs } = await openLocally(portOf(server));
  const flow = PlainFlow.of({ socket, rttMs });
  expect(flow?.ends).toMatchObject({ local: { address: '127.0.0.1', port: socket.localPort }, remote: { port: (server.address() as { port: number }).port } });
  await once(socket, 'readable');
  const chunk = socket.read() as Buffer;
  expect([flow?.offsetOf(chunk), flow?.offsetOf(chunk.subarray(2)), flow?.offsetOf(Buffer.from(chunk))]).toEqual([0, 2, null]);
  socket.destroy();
  server.close();
});

it('is no flow where something else is between', async () => {
  const server = await listenLocally(createServer());
  const opened = await openLocally(portOf(server));
  expect(PlainFlow.of({ ...opened, relayed: opened.socket as never })).toBeNull();
  opened.socket.destroy();
  expect(PlainFlow.of(opened)).toBeNull();
  server.close();
});
