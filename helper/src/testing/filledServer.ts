import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../shared/src/statistics/random.ts';
import type { FillingDriver } from './fillingDriver.ts';
import { rangedAnswer, startRangedServer, type RangedFile, type RangedRequest } from './rangedServer.ts';
import type { RawServer } from './rawServer.ts';

/** How long it waits for a registration: where one comes, and where none may. */
export const [PATIENCE_MS, IMPATIENCE_MS] = [10_000, 20];

/** Without a marker in it. */
export function bodyOf(length: number, random: Random): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 200)));
}

export const tagged = (body: Buffer, tag = '"a"'): RangedFile => ({ body, fields: `ETag: ${tag}\r\n`, validator: tag });

/** A server behind a link that loses, and how often it was asked for what. */
export interface FilledServer {
  readonly driver: FillingDriver;
  readonly server: RawServer;
  readonly asked: RangedRequest[];
  /** What it has now. */
  file: RangedFile;
  isMultipart: boolean;
  patienceMs: number;
  /** In place of its answer to a request; false to answer. */
  fault: (request: RangedRequest, socket: Socket) => boolean;
}

/** Sends as a link brings it: in pieces, with the head and a first one before the driver can know. */
async function send(at: FilledServer, socket: Socket, head: string, body: Buffer, patienceMs: number): Promise<void> {
  const port = socket.remotePort ?? 0;
  const write = (bytes: Buffer): unknown => socket.writable && socket.write(at.driver.pass(port, bytes));
  write(Buffer.concat([Buffer.from(head), body.subarray(0, 1_000)]));
  await Promise.race([at.driver.registered(port), sleep(patienceMs)]);
  for (let sent = 1_000; sent < body.length; ) {
    const size = 1 + Math.floor(at.driver.terms.random() * 9_000);
    write(body.subarray(sent, sent + size));
    sent += size;
    await turn();
  }
  if (head.includes('Connection: close')) socket.end();
}

/** One whose losses a driver fills. */
export async function startFilledServer(driver: FillingDriver, file: RangedFile): Promise<FilledServer> {
  /** What each connection has sent, answer by answer. */
  const sending = new Map<Socket, Promise<void>>();
  const server = await startRangedServer((request, socket) => {
    const port = socket.remotePort ?? 0;
    if (!sending.has(socket)) driver.connected(port);
    const before = sending.get(socket) ?? Promise.resolve();
    sending.set(socket, before);
    at.asked.push(request);
    if (at.fault(request, socket)) return;
    const { head, body } = rangedAnswer(request, at.file, at.isMultipart);
    if (body.length > 10_000) sending.set(socket, before.then(() => send(at, socket, head, body, request.ifRange === null ? at.patienceMs : 0)));
    else socket.write(Buffer.concat([Buffer.from(head), body].map((bytes) => driver.pass(port, bytes))));
  });
  const at: FilledServer = { driver, server, asked: [], file, isMultipart: true, patienceMs: PATIENCE_MS, fault: () => false };
  return at;
}
