import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let proxy: TestProxy;
let server: RawServer;
afterEach(async () => {
  await proxy.close();
  await server.close();
});

async function start(onRequest: Parameters<typeof RawServer.start>[0]): Promise<void> {
  server = await RawServer.start(onRequest);
  proxy = await TestProxy.start();
}

const cutUnlessGet = (socket: Socket, header: string): unknown => (header.startsWith('GET') ? socket.write(OK) : socket.destroy());
const countOf = (method: string): number => server.received.join('').split(`${method} / HTTP/1.1`).length - 1;

describe('a request that is lost with its connection', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s: the server has got it once, and the browser is told, on a connection that was used and on a new one', async (method) => {
    await start(cutUnlessGet);
    for (const isReused of [false, true]) {
      if (isReused) await proxy.request(`${server.origin}/`);
      const before = countOf(method);
      const answer = await proxy.request(`${server.origin}/`, { method, headers: { 'content-length': '1' }, body: Buffer.from('x') });
      expect([answer.status, String(answer.body).split(':')[0], countOf(method) - before]).toEqual([502, 'E_UPSTREAM', 1]);
    }
  });

  it('POST: is not lost to a server that is just closing a connection that has rested', async () => {
    await start((socket, _, connection) => (connection === 0 && countOf('GET') + countOf('POST') > 1 ? socket.destroy() : socket.write(OK)));
    await proxy.request(`${server.origin}/`);
    const restedMs = performance.now() + 5_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(restedMs);
    const answer = await proxy.request(`${server.origin}/`, { method: 'POST', headers: { 'content-length': '1' }, body: Buffer.from('x') });
    clock.mockRestore();
    expect([answer.status, countOf('POST'), server.received.length]).toEqual([200, 1, 2]);
  });

  it('GET: is made again once, on a new connection, and then the end is passed on', async () => {
    await start((socket, _, connection) => (connection === 0 && server.received[0]?.match(/GET/g)?.length === 1 ? socket.write(OK) : socket.destroy()));
    await proxy.request(`${server.origin}/`);
    await expect(proxy.request(`${server.origin}/`)).rejects.toThrow();
    expect(countOf('GET')).toBe(3);
  });

  it('GET with half an answer: is not made again', async () => {
    await start((socket) => (server.received[0]?.match(/GET/g)?.length === 1 ? socket.write(OK) : socket.end('HTTP/1.1 200 OK\r\nX-Ha')));
    await proxy.request(`${server.origin}/`);
    await expect(proxy.request(`${server.origin}/`)).rejects.toThrow();
    expect(countOf('GET')).toBe(2);
  });

  it('on a connection that has only been idle: is made again', async () => {
    await start((socket, _, connection) => (connection === 0 ? socket.destroy() : socket.write(OK)));
    await proxy.upstream.prepare(server.origin);
    expect(String((await proxy.request(`${server.origin}/`)).body)).toBe('ok');
    expect(server.received).toHaveLength(2);
  });

  it('when the helper ends, POST is answered', async () => {
    await start(() => undefined);
    const answer = proxy.request(`${server.origin}/`, { method: 'POST', headers: { 'content-length': '1' }, body: Buffer.from('x') });
    await expect.poll(() => countOf('POST')).toBe(1);
    proxy.upstream.close();
    expect((await answer).status).toBe(502);
  });
});

describe('a connection that is for another server (421)', () => {
  const MISDIRECTED = 'HTTP/1.1 421 Misdirected Request\r\nContent-Length: 0\r\n\r\n';
  it('the browser is told, and may ask again, on another connection', async () => {
    await start((socket, header, connection) => void socket.write(connection === 0 && !header.startsWith('GET /first') ? MISDIRECTED : OK));
    await proxy.request(`${server.origin}/first`);
    expect((await proxy.request(`${server.origin}/`)).status).toBe(421);
    expect(server.received).toHaveLength(1);
    expect((await proxy.request(`${server.origin}/`)).status).toBe(200);
    expect(server.received).toHaveLength(2);
  });
});

describe('a server that says that a connection was silent for too long (408), as HAProxy does', () => {
  const TOO_LATE = 'HTTP/1.1 408 Request Time-out\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
  const POST = { method: 'POST', headers: { 'content-length': '1' }, body: Buffer.from('x') };

  it.each([['GET', {}], ['POST', POST]])('before it was asked anything: %s goes on another one', async (_, options) => {
    await start((socket) => void socket.write(OK));
    await proxy.upstream.prepare(server.origin);
    server.say(0, TOO_LATE);
    server.end(0);
    await sleep(30);
    expect(await proxy.request(`${server.origin}/`, options)).toMatchObject({ status: 200 });
    expect(server.received).toEqual(['', expect.stringContaining('HTTP/1.1')]);
  });

  it('as it is asked for the next: GET is made again, once', async () => {
    await start((socket, header) => void socket.write(header.startsWith('GET /first') ? OK : TOO_LATE));
    await proxy.request(`${server.origin}/first`);
    expect((await proxy.request(`${server.origin}/`)).status).toBe(408);
    expect([countOf('GET'), server.received.length]).toEqual([2, 2]);
  });

  it('of what was asked: the browser is told', async () => {
    await start((socket) => void socket.end(TOO_LATE));
    expect((await proxy.request(`${server.origin}/`, POST)).status).toBe(408);
    expect((await proxy.request(`${server.origin}/`)).status).toBe(408);
    expect([countOf('POST'), countOf('GET')]).toEqual([1, 1]);
  });
});

describe('what comes before the answer', () => {
  it('early hints are passed on', async () => {
    await start((socket) => void socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload; as=style\r\nLink: </b.css>; rel=preload; as=style\r\n\r\n${OK}`));
    const request = httpRequest({ host: '127.0.0.1', port: proxy.port, path: `${server.origin}/`, headers: { host: 'x', 'proxy-authorization': proxy.authorization } });
    const hints: unknown[] = [];
    request.on('information', ({ statusCode, headers }) => hints.push([statusCode, headers.link]));
    request.end();
    await once(request, 'response');
    expect(hints).toEqual([[103, '</a.css>; rel=preload; as=style, </b.css>; rel=preload; as=style']]);
    request.destroy();
  });

  it.each([['at once', 0], ['in a segment of its own', 30]])('"100 Continue" that nobody has asked for is passed over: %s', async (_, delayMs) => {
    await start((socket, header) => {
      if (!header.includes('POST')) return;
      socket.write(`HTTP/1.1 100 Continue\r\n\r\n${delayMs === 0 ? OK : ''}`);
      if (delayMs > 0) setTimeout(() => socket.write(OK), delayMs);
    });
    for (let i = 0; i < 2; i += 1) expect(String((await proxy.request(`${server.origin}/`, { method: 'POST', headers: { 'content-length': '5' }, body: Buffer.from('12345') })).body)).toBe('ok');
    expect(server.received).toHaveLength(1);
  });

  it('a client that asks first gets on', async () => {
    await start((socket) => void socket.write(OK));
    const request = httpRequest({ host: '127.0.0.1', port: proxy.port, method: 'POST', path: `${server.origin}/`, headers: { host: 'x', expect: '100-continue', 'content-length': '5', 'proxy-authorization': proxy.authorization } });
    request.once('continue', () => request.end('12345'));
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [{ statusCode: number }];
    expect([response.statusCode, server.received[0]]).toEqual([200, expect.not.stringContaining('xpect')]);
    request.destroy();
  });
});

describe.each([
  ['a length beside chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
  ['a length, and no colon in a line', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Powered by\r\n\r\nok'],
  ['a name with a space in it', 'HTTP/1.1 200 OK\r\nX Powered: by\r\nContent-Length: 2\r\n\r\nok'],
  ['no HTTP at all', '<!doctype html>ok'],
])('an answer that a browser may understand and we do not: %s', (_, answer) => {
  it('GET: the browser goes there itself', async () => {
    await start((socket) => void socket.end(answer));
    const { status, headers } = await proxy.request(`${server.origin}/page`);
    expect([status, headers.location, proxy.left]).toEqual([307, `${server.origin}/page`, ['127.0.0.1']]);
  });

  it('POST: the server has got it once, and the browser is told', async () => {
    await start((socket, header) => header.startsWith('POST') && socket.end(answer));
    const { status, body } = await proxy.request(`${server.origin}/`, { method: 'POST', headers: { 'content-length': '1' }, body: Buffer.from('x') });
    expect([status, String(body).split(':')[0], countOf('POST')]).toEqual([502, 'E_UPSTREAM_ANSWER', 1]);
    // which makes the next one itself
    expect(proxy.left).toEqual(['127.0.0.1']);
  });
});

it('an answer that turns out in its middle to be none that we can read is cut off, and the browser makes the next request itself', async () => {
  await start((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n');
    setTimeout(() => socket.write('2 \r\nok\r\n0\r\n\r\n'), 30);
  });
  const { status, isCut, body } = await proxy.request(`${server.origin}/`);
  expect([status, isCut, String(body), proxy.left]).toEqual([200, true, 'ok', ['127.0.0.1']]);
});

it('an answer that is cut off by its server is no reason for the browser to go there itself', async () => {
  await start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok', () => socket.end()));
  expect(await proxy.request(`${server.origin}/`)).toMatchObject({ status: 200, isCut: true });
  expect(proxy.left).toEqual([]);
});

it('a server that asks for the credentials of a proxy does not get ours', async () => {
  await start((socket) => void socket.write('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\nContent-Length: 0\r\n\r\n'));
  expect(await proxy.request(`${server.origin}/`)).toMatchObject({ status: 502, headers: { 'content-type': 'text/plain; charset=utf-8' } });
});

describe('a host that the browser goes to itself', () => {
  it('a script of another origin may follow there', async () => {
    await start(() => undefined);
    const { status, headers } = await proxy.request('http://127.0.0.1:9/', { headers: { origin: 'http://a.test' } });
    expect([status, headers['access-control-allow-origin'], headers['access-control-allow-credentials'], headers['cross-origin-resource-policy']]).toEqual([307, 'http://a.test', 'true', 'cross-origin']);
  });

  it('a preflight, which may not be redirected, is cut off: browsers ask again', async () => {
    await start(() => undefined);
    await expect(proxy.request('http://127.0.0.1:9/', { method: 'OPTIONS', headers: { origin: 'http://a.test', 'access-control-request-method': 'DELETE' } })).rejects.toThrow();
  });
});
