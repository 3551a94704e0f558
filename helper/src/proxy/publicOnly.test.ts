import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';

let proxy: TestProxy;
let server: RawServer;
beforeEach(async () => {
  server = await RawServer.start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  proxy = await TestProxy.start();
});
afterEach(async () => {
  await proxy.close();
  await server.close();
});

const urlOf = (host: string): string => `http://${host}:${server.port}/x`;

/** What comes on a connection to the proxy, and how it ends. */
async function connectTo(host: string): Promise<{ readonly answer: string; readonly code: string | null }> {
  const socket = proxy.socket();
  let answer = '';
  let code: string | null = null;
  socket.on('data', (chunk) => (answer += String(chunk)));
  socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code ?? ''));
  socket.write(`CONNECT ${host}:${server.port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
  await new Promise((resolve) => socket.once('close', resolve));
  return { answer, code };
}

describe('a host that is not on the public web', () => {
  it('is left to the browser, which is sent to the same address again', async () => {
    const answer = await proxy.request(urlOf('device.test'));
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([307, urlOf('device.test'), 'no-store']);
    expect([proxy.left, server.received]).toEqual([['device.test'], []]);
  });

  it('has no tunnel: the connection is reset without an answer, so that the browser goes on by itself', async () => {
    expect(await connectTo('device.test')).toEqual({ answer: '', code: 'ECONNRESET' });
    expect([proxy.left, server.received]).toEqual([['device.test'], []]);
  });

  it('is refused when the browser would not go there by itself', async () => {
    proxy.mayLeave = false;
    expect((await proxy.request(urlOf('device.test'))).status).toBe(502);
    expect((await connectTo('device.test')).answer).toContain('HTTP/1.1 502 ');
    expect(server.received).toEqual([]);
  });
});
