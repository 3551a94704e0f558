/**
 * The benchmark's own server, a process by itself: `bodyServer.ts [--host H] [--port P] [--control SOCKET] [--stay]` answers GET /N with N bytes over HTTP/1.1. On bare
 * sockets, so that it takes little of the processor that it shares with what is measured. Tells `{"port": P}` on stdout; ends with its stdin, or stays.
 */
import { once } from 'node:events';
import { createServer as createControl } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { monotonicNs } from '../../metrics/wallClock.ts';
import type { Transfer } from './transfer.ts';

const CHUNK = Buffer.alloc(256 * 1024, 'firstscreen ');
/** Answers up to this size are one write, and are not logged. */
const SMALL_BYTES = 16 * 1024;
const HEADER_END = '\r\n\r\n';

const { values } = parseArgs({ options: { host: { type: 'string', default: '127.0.0.1' }, port: { type: 'string', default: '0' }, control: { type: 'string' }, stay: { type: 'boolean', default: false } } });
let last: Transfer | null = null;

const server = createServer({ noDelay: true }, (socket) => {
  let pending = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1');
    for (let end = pending.indexOf(HEADER_END); end >= 0; end = pending.indexOf(HEADER_END)) {
      const path = /^GET \/(\d{1,12}) HTTP\/1\.1\r\n/.exec(pending)?.[1];
      pending = pending.slice(end + HEADER_END.length);
      if (path === undefined) socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      else void answer(socket, Number(path));
    }
  });
});

/** A body, as fast as the connection takes it. */
async function answer(socket: Socket, bytes: number): Promise<void> {
  const header = `HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n`;
  if (bytes <= SMALL_BYTES) {
    socket.write(Buffer.concat([Buffer.from(header), CHUNK.subarray(0, bytes)]));
    return;
  }
  const transfer = { startNs: monotonicNs(), writtenBytes: 0, finishedNs: null as number | null };
  last = transfer;
  socket.write(header);
  while (transfer.writtenBytes < bytes && !socket.destroyed) {
    const chunk = CHUNK.subarray(0, bytes - transfer.writtenBytes);
    // called when the kernel has taken it; an error ends the loop by `destroyed`
    await new Promise<void>((resolve) => socket.write(chunk, () => resolve()));
    transfer.writtenBytes += chunk.length;
  }
  if (!socket.destroyed) transfer.finishedNs = monotonicNs();
}

if (values.control !== undefined) {
  const control = createControl((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ transfer: last })));
  control.listen(values.control);
}
server.listen(Number(values.port), values.host);
await once(server, 'listening');
process.stdout.write(`${JSON.stringify({ port: (server.address() as AddressInfo).port })}\n`);
if (!values.stay) process.stdin.on('end', () => process.exit()).resume();
