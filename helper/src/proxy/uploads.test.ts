import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';

/** More than all sockets between browser and server take unread. */
const UPLOAD_BYTES = 64 * 1024 * 1024;

let proxy: TestProxy;
let server: RawServer;
afterEach(async () => {
  await proxy.close();
  await server.close();
});

const ANSWER = 'HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno';

it.each<[string, (socket: Socket) => unknown, string | null, RegExp]>([
  ['answers in the middle and reads no more', (socket) => socket.write(ANSWER, () => socket.pause()), null, /^HTTP\/1\.1 413 .*no$/s],
  ['resets in the middle', (socket) => socket.resetAndDestroy(), null, /^HTTP\/1\.1 502 .*E_UPSTREAM/s],
  ['can not be reached', () => undefined, 'http://127.0.0.1:9', /^HTTP\/1\.1 307 /],
])('a browser that sends all before it reads is told of a server that %s', async (_, answer, elsewhere, expected) => {
  server = await RawServer.start((socket, header) => header.startsWith('POST') && answer(socket));
  proxy = await TestProxy.start();
  const browser = proxy.socket();
  browser.pause();
  browser.write(`POST ${elsewhere ?? server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\nContent-Length: ${UPLOAD_BYTES}\r\n\r\n`);
  const chunk = Buffer.alloc(1024 * 1024);
  for (let sent = 0; sent < UPLOAD_BYTES; sent += chunk.length) if (!browser.write(chunk)) await once(browser, 'drain');
  let said = '';
  browser.on('data', (piece: Buffer) => (said += piece.toString('latin1')));
  browser.resume();
  await expect.poll(() => said).toMatch(expected);
  browser.destroy();
});
