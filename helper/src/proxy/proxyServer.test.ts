import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';
import { MAX_STRANGERS } from './strangers.ts';

let proxy: TestProxy;
let server: RawServer;
afterEach(async () => {
  await proxy.close();
  await server.close();
});

type Answering = Parameters<typeof RawServer.start>[0];
async function start(onRequest: Answering): Promise<void> {
  server = await RawServer.start(onRequest);
  proxy = await TestProxy.start();
}
const always = (answer: string | Buffer): Answering => (socket) => void socket.write(answer);
const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('what a server says comes as it is', () => {
  it('status, reason, fields in their order, case and repetition', async () => {
    await start(always('HTTP/1.1 203 Fine By Me\r\nContent-Length: 2\r\nX-One: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nx-one: 2\r\n\r\nhi'));
    const answer = await proxy.request(`${server.origin}/`);
    expect([answer.status, answer.statusText, String(answer.body)]).toEqual([203, 'Fine By Me', 'hi']);
    const fields = answer.rawHeaders.slice(0, 10);
    expect(fields).toEqual(['Content-Length', '2', 'X-One', '1', 'Set-Cookie', 'a=1', 'set-cookie', 'b=2', 'x-one', '2']);
    expect(answer.headers.via).toBeUndefined();
    expect(answer.headers.date).toBeUndefined();
  });

  it.each([['UTF-8', 'utf8', 'GefundÃ©'], ['Latin-1', 'latin1', expect.stringMatching(/^Gefund/)]] as const)('a reason in %s', async (_, encoding, seen) => {
    await start(always(Buffer.from('HTTP/1.1 200 Gefundé\r\nContent-Length: 2\r\n\r\nok', encoding)));
    const answer = await proxy.request(`${server.origin}/`);
    expect([answer.status, answer.statusText, String(answer.body)]).toEqual([200, seen, 'ok']);
  });

  it.each([301, 302, 304, 307, 401, 404, 500])('status %i', async (status) => {
    await start(always(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\nLocation: /elsewhere\r\nWWW-Authenticate: Digest realm="x"\r\n\r\n`));
    const answer = await proxy.request(`${server.origin}/`);
    expect([answer.status, answer.headers.location, answer.headers['www-authenticate']]).toEqual([status, '/elsewhere', 'Digest realm="x"']);
  });

  it.each(['br', 'zstd', 'gzip'])('a body coded with %s is not touched', async (coding) => {
    const body = gzipSync(Buffer.alloc(100_000));
    await start((socket) => void socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`), body])));
    const answer = await proxy.request(`${server.origin}/`);
    expect([answer.headers['content-encoding'], sha(answer.body)]).toEqual([coding, sha(body)]);
  });

  it('chunks and trailers', async () => {
    await start(always('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\nX-Sum: 7\r\n\r\n'));
    const answer = await proxy.request(`${server.origin}/`);
    expect([String(answer.body), answer.trailers['x-sum'], answer.isCut]).toEqual(['abcdefg', '7', false]);
  });

  it.each([
    ['a length', 'GET', '200 OK\r\nContent-Length: 2', 'ok'],
    ['no body', 'GET', '304 Not Modified', ''],
    ['the fields alone', 'HEAD', '200 OK\r\nTransfer-Encoding: chunked', ''],
  ])('an answer that speaks of trailers and has %s', async (_, method, head, body) => {
    await start(always(`HTTP/1.1 ${head}\r\nTrailer: X-Sum\r\nX-Mine: 1\r\n\r\n${body}`));
    const answer = await proxy.request(`${server.origin}/`, { method });
    expect([answer.headers['x-mine'], String(answer.body), proxy.left]).toEqual(['1', body, []]);
  });

  it('a body that ends with its connection', async () => {
    await start((socket) => void socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'));
    expect(String((await proxy.request(`${server.origin}/`)).body)).toBe('all of it');
  });

  it('HEAD: a length and no body', async () => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n'));
    const answer = await proxy.request(`${server.origin}/`, { method: 'HEAD' });
    expect([answer.headers['content-length'], answer.body.length, answer.isCut]).toEqual(['12345', 0, false]);
  });

  it('Range', async () => {
    await start(always('HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-8/100\r\nContent-Length: 4\r\n\r\nfghi'));
    const answer = await proxy.request(`${server.origin}/`, { headers: { range: 'bytes=5-8' } });
    expect(server.received[0]).toContain('range: bytes=5-8');
    expect([answer.status, answer.headers['content-range'], String(answer.body)]).toEqual([206, 'bytes 5-8/100', 'fghi']);
  });

  it('a trickle comes as it is sent', async () => {
    let more: (() => void) | undefined;
    await start((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n');
      more = () => socket.end('data: 2\n\n');
    });
    const socket = proxy.socket();
    socket.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    let seen = '';
    socket.on('data', (chunk) => (seen += chunk.toString()));
    await expect.poll(() => seen).toContain('data: 1');
    expect(seen).not.toContain('data: 2');
    more?.();
    await expect.poll(() => seen).toContain('data: 2');
    socket.destroy();
  });

  it('a body that the browser does not take is taken from the server at once, and is exact', async () => {
    const body = randomBytes(20_000_000);
    let isWritten = false;
    await start((socket) => void socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`), body]), () => (isWritten = true)));
    const socket = proxy.socket();
    socket.pause();
    socket.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    await expect.poll(() => isWritten).toBe(true);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.resume();
    await expect.poll(() => chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBeGreaterThan(body.length);
    const all = Buffer.concat(chunks);
    expect(sha(all.subarray(all.indexOf('\r\n\r\n') + 4))).toBe(sha(body));
    socket.destroy();
  });
});

describe('what the browser says comes as it is', () => {
  it('fields but those of its connection to the proxy', async () => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    await proxy.request(`${server.origin}/a?b=c%20d`, { headers: { Cookie: 'a=1; b=2', 'X-Twice': ['1', '2'], Accept: 'image/*', 'Accept-Encoding': 'gzip, br', Authorization: 'Digest x' } });
    const [request = ''] = server.received;
    expect(request.split('\r\n')[0]).toBe('GET /a?b=c%20d HTTP/1.1');
    for (const line of ['Cookie: a=1; b=2', 'X-Twice: 1', 'X-Twice: 2', 'Accept: image/*', 'Accept-Encoding: gzip, br', 'Authorization: Digest x']) expect(request).toContain(`${line}\r\n`);
    expect(request.toLowerCase()).not.toContain('proxy-');
    expect(request.toLowerCase()).not.toContain('via');
    expect(request.match(/^host:/gim)).toHaveLength(1);
  });

  it.each(['PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('%s with a body', async (method) => {
    await start((socket) => setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 20));
    await proxy.request(`${server.origin}/`, { method, headers: { 'content-length': '5' }, body: Buffer.from('12345') });
    expect(server.received[0]).toMatch(new RegExp(`^${method} / HTTP/1.1[^]*\r\n\r\n12345$`));
  });

  it('a large body, of known length and in chunks', async () => {
    const body = randomBytes(3_000_000);
    let bytes = 0;
    server = await RawServer.start(() => undefined);
    proxy = await TestProxy.start();
    const answerWhenWhole = (isWhole: (text: string) => boolean): Promise<void> =>
      expect.poll(() => isWhole(server.received.at(-1) ?? '')).toBe(true);
    for (const headers of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]) {
      const request = proxy.request(`${server.origin}/`, { method: 'POST', headers, body: Readable.from([body.subarray(0, 10), body.subarray(10)]) }).catch(() => null);
      await answerWhenWhole((text) => (bytes = text.length) > body.length);
      expect(bytes).toBeLessThan(body.length + 2000);
      await server.close();
      await request;
      server = await RawServer.start(() => undefined);
    }
  });
});

describe('faults of a server are seen as without us', () => {
  it.each<[string, Answering]>([
    ['closes without an answer', (socket) => void socket.end()],
    ['resets without an answer', (socket) => void socket.resetAndDestroy()],
    ['sends half a header', (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
  ])('one that %s: the connection ends without an answer', async (_, onRequest) => {
    await start(onRequest);
    await expect(proxy.request(`${server.origin}/`)).rejects.toThrow();
    expect(proxy.left, 'nothing that a server may have got is made twice').toEqual([]);
  });

  it.each<[string, Answering]>([
    ['closes early', (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')],
    ['resets in the middle', (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => setTimeout(() => socket.resetAndDestroy(), 20))],
    ['ends in a chunk', (socket) => void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf')],
  ])('one that %s: what came is there, and is cut', async (_, onRequest) => {
    await start(onRequest);
    const answer = await proxy.request(`${server.origin}/`);
    expect([String(answer.body), answer.isCut]).toEqual(['half', true]);
  });

  it('one that says more than it announced: the announced is there', async () => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalf and more'));
    expect(String((await proxy.request(`${server.origin}/`)).body)).toBe('half');
  });

  it.each([
    ['a host that nobody knows', 'http://nowhere.test/', 'nowhere.test'],
    ['a server that is down', 'http://127.0.0.1:9/', '127.0.0.1'],
  ])('%s: the browser is sent there itself', async (_, url, host) => {
    await start(() => undefined);
    const answer = await proxy.request(url);
    expect([answer.status, answer.headers.location, answer.headers['cache-control']]).toEqual([307, url, 'no-store']);
    expect(proxy.left).toEqual([host]);
  });
});

describe('a browser that goes away', () => {
  it('ends what is on the way', async () => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf'));
    const socket = proxy.socket();
    socket.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    await once(socket, 'data');
    expect(server.openCount).toBe(1);
    socket.destroy();
    await expect.poll(() => server.openCount).toBe(0);
  });
});

describe('who may use it', () => {
  it.each([
    ['no credentials', null],
    ['wrong ones', { username: 'firstscreen', password: 'guess' }],
  ])('%s: 407, and the server hears nothing', async (_, credentials) => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const answer = await proxy.request(`${server.origin}/`, { credentials });
    expect([answer.status, answer.headers['proxy-authenticate']]).toEqual([407, 'Basic realm="Firstscreen"']);
    expect(server.received).toEqual([]);
  });

  it('a tunnel needs them too', async () => {
    await start(() => undefined);
    const socket = proxy.socket();
    socket.write(`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toContain('407 Proxy Authentication Required');
    expect(server.received).toEqual([]);
  });

  it('of those who do not say there are only so many connections, and those who have said are left alone', async () => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    const known = proxy.socket();
    known.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    await once(known, 'data');
    const oldest = proxy.socket();
    oldest.on('error', () => undefined);
    await once(oldest, 'connect');
    const ended = once(oldest, 'close');
    const others = Array.from({ length: MAX_STRANGERS }, () => proxy.socket().on('error', () => undefined));
    await ended;
    known.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    expect(String((await once(known, 'data'))[0])).toContain('200 OK');
    expect(others.filter(({ destroyed }) => destroyed)).toEqual([]);
    for (const socket of [known, ...others]) socket.destroy();
  });
});

describe('what is no request to a proxy', () => {
  it.each([
    ['origin form', 'GET / HTTP/1.1\r\nHost: a\r\nAUTH\r\n\r\n', '400'],
    ['another scheme', 'GET ftp://a/ HTTP/1.1\r\nHost: a\r\nAUTH\r\n\r\n', '400'],
    ['junk', 'this is not HTTP\r\n\r\n', '400'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400'],
    ['two lengths (request smuggling)', 'POST http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: a\r\nAUTH\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345', '400'],
    ['length and chunks (request smuggling)', 'POST http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: a\r\nAUTH\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nX', '400'],
    ['an obsolete fold (request smuggling)', 'GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: a\r\nAUTH\r\nX: a\r\n b\r\n\r\n', '400'],
    ['a tunnel to a path', 'CONNECT a.test/ HTTP/1.1\r\nHost: a\r\nAUTH\r\n\r\n', '400'],
  ])('%s: refused, and no server hears of it', async (_, text, status) => {
    await start(() => undefined);
    const socket = proxy.socket();
    socket.write(text.replace('AUTH', `Proxy-Authorization: ${proxy.authorization}`).replace('PORT', String(server.port)), 'latin1');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(server.received.join('')).toBe('');
    socket.destroy();
  });
});

describe('tunnels', () => {
  async function tunnel(): Promise<ReturnType<TestProxy['socket']>> {
    const socket = proxy.socket();
    socket.write(`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 200 Connection established\r\n\r\n');
    return socket;
  }

  it('carry anything both ways, as a WebSocket would', async () => {
    await start((socket, header) => void socket.write(`echo ${header}`));
    const socket = await tunnel();
    socket.write('ping\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe('echo ping');
    socket.destroy();
  });

  it('a direction that has ended leaves the other open', async () => {
    await start((socket) => void setTimeout(() => socket.end('late'), 50));
    const socket = await tunnel();
    socket.end('bye\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe('late');
    await once(socket, 'close');
  });

  it('end with either side', async () => {
    await start((socket) => void socket.resetAndDestroy());
    const socket = await tunnel();
    socket.write('x\r\n\r\n');
    await once(socket, 'close').catch(() => undefined);
    const other = await tunnel();
    other.destroy();
    await expect.poll(() => server.openCount).toBe(0);
  });

  it('one that the server resets is reset behind what has come: an answer that is cut off does not look whole', async () => {
    await start((socket) => void socket.write('half', () => socket.resetAndDestroy()));
    const socket = await tunnel();
    const seen: unknown[] = [];
    socket.on('data', (chunk: Buffer) => seen.push(String(chunk))).on('end', () => seen.push('end')).on('error', ({ message }) => seen.push(message));
    const closed = once(socket, 'close').catch(() => undefined);
    socket.write('x\r\n\r\n');
    await closed;
    expect(seen).toEqual(['half', 'read ECONNRESET']);
  });

  it('the name that is the helper itself is answered here', async () => {
    await start(() => undefined);
    expect((await proxy.request(`http://${proxy.credentials.ownHost}/`)).status).toBe(204);
    expect(proxy.left).toEqual([]);
  });

  it('to nowhere: 502, and the browser goes on by itself', async () => {
    await start(() => undefined);
    const socket = proxy.socket();
    socket.write(`CONNECT nowhere.test:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    expect(String((await once(socket, 'data'))[0])).toContain('502 Bad Gateway');
  });
});

describe('more tunnels to a server than it may need', () => {
  const ESTABLISHED = 'HTTP/1.1 200 Connection established\r\n\r\n';

  /** Asks for a tunnel. @returns its socket, and what has come on it so far */
  function ask(): { readonly socket: ReturnType<TestProxy['socket']>; readonly came: () => string } {
    const socket = proxy.socket();
    socket.write(`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    return { socket, came: () => text };
  }

  /** Three tunnels, the last of which waits although its connection is there; by default for longer than any test takes. */
  async function askThree(onRequest: Answering = () => undefined, rttMs = 60_000): Promise<ReturnType<typeof ask>[]> {
    await start(onRequest);
    proxy.rttMs = rttMs;
    const all = [];
    for (const count of [1, 2, 3]) {
      all.push(ask());
      await expect.poll(() => server.openCount).toBe(count);
    }
    expect(all.map(({ came }) => came())).toEqual([ESTABLISHED, ESTABLISHED, '']);
    return all;
  }

  it('wait for the handshake of another one', async () => {
    const [first, , third] = await askThree((socket) => void socket.write('server hello'));
    first?.socket.write('client hello\r\n\r\n');
    await expect.poll(first!.came).toBe(`${ESTABLISHED}server hello`);
    expect(third?.came()).toBe('');
    first?.socket.write('finished\r\n\r\n');
    await expect.poll(third!.came).toBe(ESTABLISHED);
    third?.socket.write('client hello\r\n\r\n');
    await expect.poll(third!.came).toBe(`${ESTABLISHED}server hello`);
    expect(server.received).toHaveLength(3);
    for (const { socket } of [first!, third!]) socket.destroy();
  });

  it('are there in a second when the others never say anything', async () => {
    const [, , third] = await askThree(() => undefined, 0);
    await expect.poll(third!.came).toBe(ESTABLISHED);
  });

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['breaks off', (socket: Socket) => socket.resetAndDestroy()],
  ])('are closed on both sides when the browser %s one that waits', async (_, go) => {
    const [, , third] = await askThree();
    go(third!.socket);
    await expect.poll(() => server.openCount).toBe(2);
    if (!third!.socket.destroyed) await once(third!.socket, 'close');
  });

  it('have another connection when the server did not wait', async () => {
    const [first, , third] = await askThree((socket, header) => void socket.write(header));
    server.end(2);
    await sleep(50);
    first?.socket.destroy();
    await expect.poll(third!.came).toBe(ESTABLISHED);
    third?.socket.write('hello\r\n\r\n');
    await expect.poll(third!.came).toBe(`${ESTABLISHED}hello`);
    expect(server.received[3]).toBe('hello\r\n\r\n');
    await expect.poll(() => server.openCount).toBe(2);
  });

  it('do not wait when there is no connection for them', async () => {
    await start(() => undefined);
    const refused = Array.from({ length: 3 }, () => {
      const socket = proxy.socket();
      socket.write(`CONNECT nowhere.test:443 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${proxy.authorization}\r\n\r\n`);
      return once(socket, 'data');
    });
    for (const answer of await Promise.all(refused)) expect(String(answer[0])).toContain('502 Bad Gateway');
  });
});

describe('the log', () => {
  it('holds no URL, name, cookie or credential', async () => {
    await start(always('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    await proxy.request(`${server.origin}/private?token=secret`, { headers: { cookie: 'session=secret' } });
    await proxy.request('http://nowhere.test/private?token=secret');
    await proxy.request(`${server.origin}/`, { credentials: { username: 'a', password: 'secret' } });
    expect(JSON.stringify(proxy.log)).not.toMatch(/secret|private|nowhere/);
    expect(JSON.stringify(proxy.log)).not.toContain(proxy.credentials.password);
  });
});
