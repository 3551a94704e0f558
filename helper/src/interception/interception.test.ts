import { spawn } from 'node:child_process';
import { constants as tlsConstants } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2, constants, createSecureServer, type ClientHttp2Session, type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls, createSecureContext, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { NOTHING_EXPECTED } from '../../../shared/src/memory/neededObject.ts';
import type { LogEntry } from '../../../shared/src/log.ts';
import { basicAuthorization } from '../proxy/credentials.ts';
import { pairsOf, valuesOf } from '../../../shared/src/node/http/rawHeaders.ts';
import type { ProxyService } from '../proxy/proxyService.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { startTestService } from '../testing/testService.ts';
import { Interceptor } from './interceptor.ts';

/** Of which Node takes a thousand, and then 33 a second. */
const GIVEN_UP = 1_200;
const GIVEN_UP_AT_ONCE = 50;

/** What is the same for both versions is enough here. */
type Answering = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** Of a document. */
const PAGE_FIELDS = {
  'sec-ch-ua': '"Chromium";v="156"', 'upgrade-insecure-requests': '1', 'user-agent': 'Mozilla/5.0 Chrome/156.0.0.0 Safari/537.36', accept: 'text/html,image/webp,*/*;q=0.8',
  'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1', 'sec-fetch-dest': 'document', 'accept-encoding': 'gzip', cookie: 'a=1; b=2', priority: 'u=0, i',
};

let ours: TestAuthority;
let theirs: TestAuthority;
let server: Http2SecureServer;
let service: ProxyService;
let answering: Answering;
let serverConnections: number;
let isExcluded: boolean;
let log: LogEntry[];

beforeEach(async () => {
  [ours, theirs] = [await testAuthority(), await testAuthority()];
  [serverConnections, isExcluded, log] = [0, false, []];
  answering = (_, response) => void response.end('hello');
  server = createSecureServer({ allowHTTP1: true, streamResetBurst: 2 * GIVEN_UP, streamResetRate: GIVEN_UP, SNICallback: theirs.sniCallback });
  server.on('connection', () => (serverConnections += 1));
  server.on('request', (request: Http2ServerRequest, response: Http2ServerResponse) => answering(request, response));
  await listenLocally(server);
});

afterEach(async () => {
  await service.close();
  server.close();
});

async function start({ isOn = true, trustsServer = true } = {}): Promise<void> {
  service = await startTestService({ log: (entry) => log.push(entry), trust: { authority: ours, isExcluded: () => isExcluded, serverAuthorities: trustsServer ? theirs.certificatePem : null } });
  if (isOn) service.intercept();
}

const port = (): number => portOf(server);
const origin = (): string => `https://localhost:${port()}`;

/** A tunnel as the browser asks for it. */
async function tunnel(target = `localhost:${port()}`): Promise<Socket> {
  const request = httpRequest({ host: '127.0.0.1', port: service.port, method: 'CONNECT', path: target, headers: { 'proxy-authorization': basicAuthorization(service.credentials) } });
  request.end();
  const [response, socket] = (await once(request, 'connect')) as [IncomingMessage, Socket];
  expect(response.statusCode).toBe(200);
  return socket;
}

async function secure(ca: string, protocol: string, socket?: Socket): Promise<TLSSocket> {
  const secured = connectTls({ socket: socket ?? (await tunnel()), servername: 'localhost', ca, ALPNProtocols: [protocol] });
  await once(secured, 'secureConnect');
  return secured;
}

/** Of a tunnel that is there: a session does not see what has come on its socket already. */
function openSession(socket: Socket, options = {}): ClientHttp2Session {
  return connectHttp2(origin(), { ...options, createConnection: () => connectTls({ socket, servername: 'localhost', ca: ours.certificatePem, ALPNProtocols: ['h2'] }) });
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly error: string | null;
}

/** What browsers take of an answer, and Node does not by default. */
const AS_BROWSERS = { strictFieldWhitespaceValidation: false, maxHeaderListPairs: 2_000, settings: { maxHeaderListSize: 256 * 1024 } };

async function overHttp2(path: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<Answer> {
  const session = openSession(await tunnel(), AS_BROWSERS);
  const stream = session.request({ ':path': path, ...(body !== undefined && { ':method': 'POST' }), ...headers });
  stream.end(body);
  let answer: Record<string, unknown> = {};
  stream.on('response', (fields) => (answer = fields as Record<string, unknown>));
  let error: string | null = null;
  stream.on('error', (cause) => (error = String(cause)));
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => stream.once('close', resolve));
  session.close();
  return { status: Number(answer[':status']), headers: answer, body: String(Buffer.concat(chunks)), error };
}

async function overHttp1(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const secured = await secure(ours.certificatePem, 'http/1.1');
  const request = httpRequest({ host: 'localhost', port: port(), path, headers, createConnection: () => secured });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response), error: null };
}

describe('a request inside an intercepted connection', () => {
  it.each([['h2', overHttp2], ['http/1.1', overHttp1]] as const)('reaches the server as it was asked, over %s', async (_, ask) => {
    await start();
    let seen: unknown;
    answering = (request, response) => {
      seen = [request.method, request.url, request.headers[':authority'] ?? request.headers.host, request.headers['x-mine'], request.headers.cookie, request.headers.via];
      response.writeHead(200, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] });
      response.end('hello');
    };
    const answer = await ask('/a?b=c%20d', { 'x-mine': '1', cookie: 'a=b' });
    expect(seen).toEqual(['GET', '/a?b=c%20d', `localhost:${port()}`, '1', 'a=b', undefined]);
    expect(answer).toMatchObject({ status: 200, body: 'hello', error: null });
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  it.each([['h2', overHttp2], ['http/1.1', overHttp1]] as const)('is answered with all fields, with spaces around their values and as many as browsers take, over %s', async (_, ask) => {
    await start();
    answering = (_request, response) => {
      const many = Object.fromEntries(Array.from({ length: 300 }, (_each, n) => [`x-${n}`, '1']));
      response.writeHead(200, { ...many, 'content-security-policy': " default-src 'self'; ", 'set-cookie': ['a=1; path=/ ', 'b=2'] });
      response.end('hello');
    };
    const { status, headers, body } = await ask('/');
    expect([status, body, headers['x-299'], String(headers['content-security-policy']).trim(), (headers['set-cookie'] as string[]).map((cookie) => cookie.trim())]).toEqual([200, 'hello', '1', "default-src 'self';", ['a=1; path=/', 'b=2']]);
  });

  it('is answered with each field as often as it came, behind the body, too: browsers do not take all of them together', async () => {
    await start();
    const twice = ['strict-transport-security', 'max-age=1', 'strict-transport-security', 'max-age=2', 'www-authenticate', 'Digest realm="a"', 'www-authenticate', 'Basic realm="b"', 'content-type', 'a/a', 'content-type', 'b/b'];
    server.close();
    server = createSecureServer({ strictSingleValueFields: false, SNICallback: theirs.sniCallback });
    server.on('stream', (stream) => {
      stream.respond([':status', '401', ...twice] as never, { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ etag: ['"1"', '"2"'] } as never));
      stream.end('hello');
    });
    await listenLocally(server);
    const session = openSession(await tunnel());
    const stream = session.request({ ':path': '/' });
    const seen: string[] = [];
    const note = (_fields: unknown, _flags: number, raw: readonly string[]): void => void seen.push(...pairsOf(raw).filter(([name]) => ['etag', ...twice].includes(name)).flat());
    stream.on('response', note).on('trailers', note);
    expect(await text(stream)).toBe('hello');
    session.close();
    expect(seen).toEqual([...twice, 'etag', '"1"', 'etag', '"2"']);
  });

  it('is answered with a head of 100 kB, which browsers take', async () => {
    await start();
    server.close();
    server = createTlsServer({ SNICallback: theirs.sniCallback }) as unknown as Http2SecureServer;
    server.on('request', (_request: Http2ServerRequest, response: Http2ServerResponse) => {
      response.writeHead(200, Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'x'.repeat(1_000)])));
      response.end('hello');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await overHttp2('/')).toMatchObject({ status: 200, body: 'hello', error: null });
  });

  it('may be one of thousands that are given up at once, as tiles of a map are', async () => {
    await start();
    answering = (request, response) => {
      if (request.url === '/') response.end('hello');
    };
    const socket = await tunnel();
    const session = connectHttp2(origin(), { createConnection: () => connectTls({ socket, servername: 'localhost', ca: ours.certificatePem, ALPNProtocols: ['h2'] }) });
    session.on('error', () => undefined);
    for (let given = 0; given < GIVEN_UP; given += GIVEN_UP_AT_ONCE) {
      const streams = Array.from({ length: GIVEN_UP_AT_ONCE }, (_, n) => session.request({ ':path': `/tile/${given + n}` }).on('error', () => undefined));
      // they leave
      await sleep(0);
      await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once('close', resolve).close(constants.NGHTTP2_CANCEL))));
    }
    expect(await text(session.request({ ':path': '/' }))).toBe('hello');
    session.close();
  });

  it.each([
    ['an image without a rank by the browser\'s word', { 'sec-fetch-dest': 'image', priority: 'u=2, i' }, 'u=2, i'],
    ['a script by the browser\'s word', { 'sec-fetch-dest': 'script', priority: 'u=1' }, 'u=1'],
  ])('tells the server how urgent it is: %s', async (_, headers, urgency) => {
    await start();
    answering = (request, response) => void response.end(String(request.headers['priority']));
    expect(await overHttp2('/', headers)).toMatchObject({ body: urgency });
  });

  it('is not made again for a page that was fetched when its link was pointed at', async () => {
    await start();
    const asked: (string | undefined)[][] = [];
    answering = (request, response) => {
      asked.push([request.url, request.headers['sec-purpose'] as string | undefined, request.headers.cookie]);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(`page ${request.url}`);
    };
    await overHttp2('/', PAGE_FIELDS);
    service.pointed({ page: `${origin()}/`, url: `${origin()}/next`, isLikely: true, referrerPolicy: null }, []);
    await expect.poll(() => asked).toHaveLength(2);
    expect(await overHttp2('/next', { ...PAGE_FIELDS, 'sec-fetch-site': 'same-origin', referer: `${origin()}/` })).toMatchObject({ status: 200, body: 'page /next' });
    expect(asked).toEqual([['/', undefined, 'a=1; b=2'], ['/next', 'prefetch', 'a=1; b=2']]);
  });

  it('takes a body along', async () => {
    await start();
    answering = (request, response) => void request.pipe(response);
    expect(await overHttp2('/', {}, 'x'.repeat(200_000))).toMatchObject({ status: 200, body: 'x'.repeat(200_000) });
  });

  it('many share one connection to a server that multiplexes', async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => overHttp2(`/${i}`)));
    expect(answers.map(({ body }) => body)).toEqual(Array(12).fill('hello'));
    expect(serverConnections).toBe(1);
  });

  it('an answer that the server cuts off is cut off', async () => {
    await start();
    answering = (_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('part');
      setTimeout(() => response.stream.close(2), 20);
    };
    expect((await overHttp2('/')).error).toMatch(/ERR_HTTP2_STREAM_ERROR/);
  });

  it('a WebSocket goes on as it is', async () => {
    await start();
    server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Path: ${request.url}\r\n\r\n`);
      socket.on('data', (chunk: Buffer) => socket.write(`echo ${String(chunk)}`));
    });
    const secured = await secure(ours.certificatePem, 'http/1.1');
    secured.write(`GET /ws HTTP/1.1\r\nHost: localhost:${port()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect(String((await once(secured, 'data'))[0])).toMatch(/^HTTP\/1.1 101 [^]*X-Path: \/ws/);
    secured.write('ping');
    expect(String((await once(secured, 'data'))[0])).toBe('echo ping');
    secured.destroy();
  });
});

it.each([3, 180])('cookies that HTTP/2 splits, %i of them, are one field for a server', async (count) => {
  await start();
  answering = (request, response) => void response.end(JSON.stringify(valuesOf(request.rawHeaders, 'cookie')));
  const session = openSession(await tunnel());
  const cookies = Array.from({ length: count }, (_, n) => `c${n}=1`);
  const stream = session.request([':method', 'GET', ':path', '/', ...cookies.flatMap((cookie, n) => [...(n === 1 ? ['x-between', '1'] : []), 'cookie', cookie])]);
  expect(await text(stream)).toBe(JSON.stringify([cookies.join('; ')]));
  session.close();
});

it('what comes before the answer, and trailers, are passed on', async () => {
  await start();
  answering = (_, response) => {
    response.stream.additionalHeaders({ ':status': 103, link: '</a.css>; rel=preload' });
    (response as unknown as ServerResponse).addTrailers({ 'x-sum': '7' });
    response.end('ok');
  };
  const session = openSession(await tunnel());
  const stream = session.request({ ':path': '/' });
  const seen: unknown[] = [];
  stream.on('headers', (headers) => seen.push([headers[':status'], headers.link]));
  stream.on('trailers', (headers: Record<string, unknown>) => seen.push(headers['x-sum']));
  expect(await text(stream)).toBe('ok');
  expect(seen).toEqual([[103, '</a.css>; rel=preload'], '7']);
  session.close();
});

it.each([204, 206, 304, 401, 407, 421])('status %i is passed on', async (status) => {
  await start();
  answering = (_, response) => void response.writeHead(status, { 'x-mine': '1', 'www-authenticate': 'Basic realm="x"' }).end();
  expect(await overHttp2('/')).toMatchObject({ status, body: '', error: null, headers: { 'x-mine': '1' } });
});

describe('a server that wants to know more of the browser than passes through here', () => {
  async function expectTunnel(): Promise<void> {
    const secured = await secure(theirs.certificatePem, 'h2');
    expect(secured.authorized).toBe(true);
    secured.destroy();
  }

  it.each([['h2', overHttp2], ['http/1.1', overHttp1]] as const)('NTLM, over %s: the challenge passes, the next connection is a tunnel', async (_, ask) => {
    await start();
    answering = (_request, response) => void response.writeHead(401, { 'www-authenticate': ['Negotiate', 'NTLM'] }).end();
    expect(await ask('/')).toMatchObject({ status: 401 });
    await expectTunnel();
  });

  it('NTLM, over h2: no session of the host takes anything new after the challenge', async () => {
    await start();
    answering = (_request, response) => void response.writeHead(401, { 'www-authenticate': 'NTLM' }).end();
    const other = openSession(await tunnel());
    await once(other, 'remoteSettings');
    const ended = once(other, 'close');
    expect(await overHttp2('/')).toMatchObject({ status: 401 });
    await ended;
  });

  it('NTLM, over h2: who authenticates at once is asked to do so by a tunnel, and the server has not heard of it', async () => {
    await start();
    const asked: unknown[] = [];
    answering = (request, response) => {
      asked.push(request.url);
      response.end('hello');
    };
    expect(await overHttp2('/', { authorization: 'NTLM TlRMTVNTUAAD' })).toMatchObject({ error: expect.stringContaining('NGHTTP2_REFUSED_STREAM') as string });
    expect(asked).toEqual([]);
    await expectTunnel();
  });

  it.each([['GET', undefined], ['POST', 'x']])('one that wants HTTP/1.1, as IIS does for what NTLM guards (%s): the browser is told to ask again, by a tunnel', async (_, body) => {
    await start();
    answering = (request) => request.stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED);
    expect(await overHttp2('/', {}, body)).toMatchObject({ status: 307, headers: { location: `${origin()}/` } });
    await expectTunnel();
  });

  it('one that answers with more fields than can be read here has a tunnel', async () => {
    await start();
    answering = (_request, response) => {
      response.writeHead(200, Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`x-${n}`, '1'])));
      response.end('hello');
    };
    expect(await overHttp2('/')).toMatchObject({ status: 307, headers: { location: `${origin()}/` } });
    await expectTunnel();
  });

  it.each([
    ['only offers to take a certificate', false, 'TLSv1.3'],
    ['insists on a certificate', true, 'TLSv1.3'],
    ['only offers to take a certificate', false, 'TLSv1.2'],
  ] as const)('one that %s (%s, %s) has a tunnel, and is not asked again by us', async (_, rejectUnauthorized, version) => {
    server.close();
    server = createSecureServer({
      allowHTTP1: true, requestCert: true, rejectUnauthorized, minVersion: version, maxVersion: version,
      SNICallback: theirs.sniCallback,
    });
    server.on('tlsClientError', () => undefined);
    server.on('connection', () => (serverConnections += 1));
    await listenLocally(server);
    await start();
    for (let i = 0; i < 2; i++) {
      const secured = connectTls({ socket: await tunnel(), servername: 'localhost', ca: theirs.certificatePem, ALPNProtocols: ['h2'] });
      secured.on('error', () => undefined);
      await once(secured, 'secureConnect');
      expect(secured.authorized).toBe(true);
      secured.destroy();
    }
    expect(serverConnections).toBe(3);
  });
});

describe('a server of HTTP/1.1 alone', () => {
  async function startClear(answer: (request: IncomingMessage, response: ServerResponse) => void, options: SecureContextOptions = {}): Promise<void> {
    server.close();
    server = createTlsServer({ SNICallback: theirs.sniCallback, ...options }, answer) as unknown as Http2SecureServer;
    server.on('connection', () => (serverConnections += 1));
    await listenLocally(server);
    await start();
  }
  const isTunnel = async (): Promise<boolean> => {
    const secured = connectTls({ socket: await tunnel(), servername: 'localhost', ca: theirs.certificatePem, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] });
    await once(secured, 'secureConnect');
    secured.destroy();
    return secured.authorized;
  };

  it.each([['GET', undefined], ['POST', 'x']])('may answer %s with a status that HTTP/2 does not know, as LinkedIn does', async (_, body) => {
    await startClear((_request, response) => void response.writeHead(999, 'Request denied').end('denied'));
    expect(await overHttp2('/', {}, body)).toMatchObject({ status: 999, body: 'denied', error: null });
    expect(await isTunnel()).toBe(false);
  });

  it.each([
    ['what only it can say, to a script', 422, 'Name already exists', 'empty', true],
    ['what only it can say, to a script, in other letters', 400, 'Name vergeben: Jürgen', 'empty', true],
    ['what only it can say, of what no script reads', 404, 'No such card', 'image', false],
    ['what all say', 404, 'not found', 'empty', false],
    ['what nginx says', 504, 'Gateway Time-out', 'empty', false],
    ['what is no error', 200, 'Yes', 'empty', false],
  ])('that says by the words of its status %s (%i %s) has a tunnel: %s', async (_, status, words, destination, expected) => {
    await startClear((_request, response) => void response.writeHead(status, words).end('body'));
    expect(await overHttp2('/', { 'sec-fetch-dest': destination })).toMatchObject({ status, body: 'body' });
    expect(await isTunnel()).toBe(expected);
  });

  it('that says by the words of its status what only it can say has tunnels when nothing more comes on its sessions', async () => {
    await startClear((_request, response) => void response.writeHead(422, 'Name already exists').end());
    const session = openSession(await tunnel());
    const status = async (): Promise<unknown> => ((await once(session.request({ ':path': '/', 'sec-fetch-dest': 'empty' }).resume(), 'response'))[0] as Record<string, unknown>)[':status'];
    expect([await status(), await status()]).toEqual([422, 422]);
    await sleep(100);
    expect(await status()).toBe(422);
    await once(session, 'close');
  });

  it.each([['GET', undefined, 307], ['POST', 'x', 502]])('that asks for a certificate when it knows the path has a tunnel (%s)', async (_, body, status) => {
    let asked = 0;
    await startClear((request, response) => {
      asked += 1;
      // it has to have the body before, as Apache does (SSLRenegBufferSize)
      const { socket } = request as IncomingMessage & { readonly socket: TLSSocket };
      request.resume().once('end', () => socket.renegotiate({ requestCert: true, rejectUnauthorized: false }, () => response.writeHead(403).end('no certificate')));
    }, { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', secureOptions: tlsConstants.SSL_OP_NO_SESSION_RESUMPTION_ON_RENEGOTIATION });
    expect(await overHttp2('/mine', {}, body)).toMatchObject({ status });
    expect([asked, await isTunnel()]).toEqual([1, true]);
  });
});

describe('what a page on its way will need', () => {
  it('has a verified connection to a server that is intercepted', async () => {
    await start();
    service.prepare('https://page.test/', { ...NOTHING_EXPECTED, origins: [origin()] });
    await expect.poll(() => serverConnections).toBe(1);
    expect(await overHttp2('/site.css')).toMatchObject({ status: 200 });
    expect(serverConnections).toBe(1);
  });

  it('has a connection for the tunnel to any other', async () => {
    await start({ isOn: false });
    service.prepare('https://page.test/', { ...NOTHING_EXPECTED, origins: [origin()] });
    await expect.poll(() => serverConnections).toBe(1);
    (await secure(theirs.certificatePem, 'h2')).destroy();
    expect(serverConnections).toBe(1);
  });
});

describe('a host that the user keeps closed', () => {
  async function expectTunnel(): Promise<void> {
    const secured = await secure(theirs.certificatePem, 'h2');
    expect(secured.authorized).toBe(true);
    secured.destroy();
  }

  it('has tunnels, and is looked into again when it is named no more; others are all the time', async () => {
    await start();
    service.tunnelOnly(['other.test', 'host']);
    expect(await overHttp2('/')).toMatchObject({ status: 200 });
    service.tunnelOnly(['other.test', 'LOCALHOST']);
    await expectTunnel();
    service.tunnelOnly([]);
    expect(await overHttp2('/')).toMatchObject({ status: 200 });
  });

  it('has a tunnel already when it is named while its server is being connected to', async () => {
    await start();
    const ready = Promise.withResolvers<undefined>();
    const interceptor = interceptorWith({ prepare: () => ready.promise });
    const taken = ['www.a.test', 'b.test'].map((host) => interceptor.mayTake({ host, port: 443 }));
    interceptor.tunnelOnly(['a.test']);
    ready.resolve(undefined);
    expect(await Promise.all(taken)).toEqual([false, true]);
    interceptor.close();
  });

  it('loses its idle connections', async () => {
    await start();
    const one = await secure(ours.certificatePem, 'http/1.1');
    one.write(`GET / HTTP/1.1\r\nHost: localhost:${port()}\r\n\r\n`);
    expect(String((await once(one, 'data'))[0])).toMatch(/^HTTP\/1.1 200 /);
    const two = openSession(await tunnel());
    await once(two, 'remoteSettings');
    one.resume();
    service.tunnelOnly(['localhost']);
    await expect.poll(() => [one.destroyed, two.destroyed]).toEqual([true, true]);
    await expectTunnel();
  });

  it.each([['h2', overHttp2], ['http/1.1', overHttp1]] as const)('gets to its end what is under way over %s', async (_, ask) => {
    const asked: (() => void)[] = [];
    answering = (_request, response) => {
      response.write('to the ');
      asked.push(() => void response.end('end'));
    };
    await start();
    const answer = ask('/');
    await expect.poll(() => asked).toHaveLength(1);
    service.tunnelOnly(['localhost']);
    asked[0]?.();
    expect(await answer).toMatchObject({ status: 200, body: 'to the end', error: null });
    await expectTunnel();
  });

  it('gets the answer to a request that comes on a connection of before, and then loses that', async () => {
    await start();
    const secured = await secure(ours.certificatePem, 'http/1.1');
    // the helper's side of the handshake ends after the browser's
    await sleep(PIECE_MS);
    service.tunnelOnly(['localhost']);
    const closed = once(secured, 'close');
    secured.write(`GET / HTTP/1.1\r\nHost: localhost:${port()}\r\n\r\n`);
    expect(await text(secured)).toMatch(/^HTTP\/1.1 200 [^]*connection: close[^]*hello/i);
    await closed;
  });

  it('loses a WebSocket, which has no end of its own', async () => {
    await start();
    server.on('upgrade', (_request: IncomingMessage, socket: Socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'));
    const secured = await secure(ours.certificatePem, 'http/1.1');
    secured.write(`GET /ws HTTP/1.1\r\nHost: localhost:${port()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect(String((await once(secured, 'data'))[0])).toMatch(/^HTTP\/1.1 101 /);
    const closed = once(secured, 'close');
    secured.resume();
    service.tunnelOnly(['localhost']);
    await closed;
  });

  it('has no page fetched ahead, and nothing of it is remembered', async () => {
    await start();
    const asked: string[] = [];
    answering = (request, response) => {
      asked.push(request.url);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('page');
    };
    await overHttp2('/', PAGE_FIELDS);
    service.tunnelOnly(['localhost']);
    service.pointed({ page: `${origin()}/`, url: `${origin()}/next`, isLikely: true, referrerPolicy: null }, []);
    await sleep(PIECE_MS);
    expect(asked).toEqual(['/']);
    service.tunnelOnly([]);
    service.pointed({ page: `${origin()}/`, url: `${origin()}/next`, isLikely: true, referrerPolicy: null }, []);
    await expect.poll(() => asked).toEqual(['/', '/next']);
  });
});

describe('what is a tunnel all the same', () => {
  it.each([
    ['before the browser has shown that it trusts us', { isOn: false }, null],
    ['to a host on the list of exclusions', {}, 'bank or payment'],
    ['to a server that does not verify', { trustsServer: false }, null],
  ])('%s', async (_, options, reason) => {
    isExcluded = reason !== null;
    await start(options);
    // the server's own certificate, not one of ours
    const secured = await secure(theirs.certificatePem, 'h2');
    expect(secured.authorized).toBe(true);
    secured.destroy();
  });

  it('to a host whose certificate the browser refused, by an alert as browsers do and Node does not', async () => {
    await start();
    const { username, password } = service.credentials;
    const refusing = spawn(
      'openssl',
      ['s_client', '-connect', `localhost:${port()}`, '-servername', 'localhost', '-verify_return_error', '-proxy', `127.0.0.1:${service.port}`, '-proxy_user', username, '-proxy_pass', `pass:${password}`],
      { stdio: 'ignore' },
    );
    expect((await once(refusing, 'exit'))[0]).not.toBe(0);
    await expect.poll(() => log.map(({ fields }) => fields?.['code'])).toContain('E_CERTIFICATE_REFUSED');
    (await secure(theirs.certificatePem, 'h2')).destroy();
  });
});

it('answers for the host that shows whether the browser trusts us, before and after', async () => {
  await start({ isOn: false });
  const { ownHost } = service.credentials;
  const secured = connectTls({ socket: await tunnel(`${ownHost}:443`), servername: ownHost, ca: ours.certificatePem, ALPNProtocols: ['http/1.1'] });
  await once(secured, 'secureConnect');
  secured.write(`GET / HTTP/1.1\r\nHost: ${ownHost}\r\n\r\n`);
  expect(String((await once(secured, 'data'))[0])).toMatch(/^HTTP\/1.1 204 /);
  secured.destroy();
});

/** One that is on, and of which nothing more is asked. */
function interceptorWith(host: Partial<ConstructorParameters<typeof Interceptor>[0]>): Interceptor {
  const interceptor = new Interceptor({ ownHost: 'x.invalid', isExcluded: () => false, secureContextFor: () => Promise.resolve(createSecureContext()), prepare: () => Promise.resolve(), requested: () => undefined, upgraded: () => undefined, log: () => undefined, ...host });
  interceptor.isOn = true;
  return interceptor;
}

it('leaves a server to a tunnel for which no certificate can be made, as when the authority has expired', async () => {
  await start();
  const interceptor = interceptorWith({ secureContextFor: () => Promise.reject(new FirstscreenError('E_AUTHORITY', 'Expired.', '')) });
  expect(await interceptor.mayTake({ host: 'a.test', port: 443 })).toBe(false);
  interceptor.close();
});

it('has no server of http: asked for TLS, as for a WebSocket in clear', async () => {
  await start();
  const asked: string[] = [];
  const prepare = (each: string): Promise<void> => {
    asked.push(each);
    return Promise.resolve();
  };
  const interceptor = interceptorWith({ prepare });
  expect(await Promise.all([80, 443].map((each) => interceptor.mayTake({ host: 'a.test', port: each })))).toEqual([false, true]);
  expect(asked).toEqual(['https://a.test']);
  interceptor.close();
});

it('has no certificate for a host that is left alone, whatever the tunnel was asked for', async () => {
  await start();
  const socket = await tunnel();
  isExcluded = true;
  const secured = connectTls({ socket, servername: 'bank.test', ca: ours.certificatePem, ALPNProtocols: ['h2'] });
  await once(secured, 'error');
});

it.each(['', 'user@localhost', 'localhost:0', 'a b', 'other.test'])('refuses a request that names its host as "%s"', async (host) => {
  await start();
  const secured = await secure(ours.certificatePem, 'http/1.1');
  secured.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  expect(String((await once(secured, 'data'))[0])).toMatch(/^HTTP\/1.1 421 /);
  secured.destroy();
});

it.each(['127.0.0.1', 'localhost.'])('passes a connection to %s, which no hello names so, on as a tunnel', async (host) => {
  await start();
  const secured = connectTls({ socket: await tunnel(`${host}:${port()}`), servername: 'localhost', ca: theirs.certificatePem, ALPNProtocols: ['h2'] });
  await once(secured, 'secureConnect');
  secured.destroy();
});

it('asks on another connection what a server that goes away takes no more, and lets end what it has taken', async () => {
  const asked: string[] = [];
  let finish = (): void => undefined;
  answering = (request, response) => {
    asked.push(request.url);
    if (request.url !== '/taken') return void response.end('hello');
    finish = () => void response.end('hello');
    request.stream.session?.close();
  };
  await start();
  const taken = overHttp2('/taken');
  await expect.poll(() => asked).toEqual(['/taken']);
  const later = await Promise.all(['/a', '/b'].map((path) => overHttp2(path)));
  finish();
  expect([...later, await taken].map(({ status, body, error }) => [status, body, error])).toEqual(Array.from({ length: 3 }, () => [200, 'hello', null]));
  expect(asked.sort()).toEqual(['/a', '/b', '/taken']);
}, 10_000);

it('makes a POST again whose server goes away and says that it has not taken it', async () => {
  const asked: string[] = [];
  answering = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    // the streams before are all that it has taken
    if (asked.length === 2) request.stream.session?.goaway(0, Number(request.stream.id) - 2);
    else void request.pipe(response);
  };
  await start();
  await overHttp2('/');
  expect(await overHttp2('/form', { 'content-length': '5' }, 'hello')).toMatchObject({ status: 200, body: 'hello' });
  expect([asked, serverConnections]).toEqual([['GET /', 'POST /form', 'POST /form'], 2]);
});

it.each([
  ['goes away, and has taken it', ({ session, id }: ServerHttp2Stream) => session?.goaway(0, id)],
  ['ends the session', ({ session }: ServerHttp2Stream) => session?.destroy()],
  ['ends the connection', (_stream: ServerHttp2Stream, socket?: Socket) => socket?.end()],
  ['resets the connection', (_stream: ServerHttp2Stream, socket?: Socket) => socket?.resetAndDestroy()],
  ['gives the request up', (stream: ServerHttp2Stream) => stream.close(2)],
])('makes no POST again that its server may have taken: it %s', async (_, end) => {
  const asked: string[] = [];
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  answering = (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === 'GET') return void response.end('hello');
    const { stream } = request;
    stream.on('error', () => undefined);
    end(stream, sockets[0]);
    setTimeout(() => stream.destroy(), 50);
  };
  await start();
  await overHttp2('/');
  expect(await overHttp2('/form', { 'content-length': '5' }, 'hello')).toMatchObject({ status: 502 });
  await sleep(50);
  expect(asked).toEqual(['GET /', 'POST /form']);
});

describe('a proxy that drains', () => {
  const LIMITS = { silentMs: 400, longestMs: 60_000 };

  it.each(['h2', 'http/1.1'])('passes on the answer under way over %s while bytes pass, and then closes its connection', async (protocol) => {
    let going: NodeJS.Timeout | undefined;
    answering = (_, response) => {
      response.writeHead(200);
      let pieces = 0;
      going = setInterval(() => {
        if (++pieces < PIECES) response.write('.');
        else response.end('end');
      }, PIECE_MS);
    };
    await start();
    const socket = await tunnel();
    const secured = connectTls({ socket, servername: 'localhost', ca: ours.certificatePem, ALPNProtocols: [protocol] });
    const closed = once(socket, 'close');
    let came: string;
    let draining: Promise<void>;
    if (protocol === 'h2') {
      const session = connectHttp2(origin(), { createConnection: () => secured });
      const stream = session.request({ ':path': '/' });
      await once(stream, 'response');
      draining = service.drain(LIMITS);
      came = await text(stream);
    } else {
      secured.write(`GET / HTTP/1.1\r\nHost: localhost:${port()}\r\n\r\n`);
      await once(secured, 'data');
      draining = service.drain(LIMITS);
      came = await text(secured);
    }
    clearInterval(going);
    expect(came).toMatch(/end(\r\n0\r\n\r\n)?$/);
    await Promise.all([closed, draining]);
  });

  it.each(['an answer is under way', 'nothing has been asked for'])('answers what comes on a session of HTTP/2 a moment later when %s: a browser would not send it again', async (before) => {
    const open: (() => void)[] = [];
    answering = ({ url }, response) => {
      if (url === '/slow') open.push(() => response.end('slow'));
      else response.end('later');
    };
    await start();
    const session = openSession(await tunnel());
    await once(session, 'remoteSettings');
    const slow = before.startsWith('an answer') ? session.request({ ':path': '/slow' }) : null;
    if (slow !== null) await expect.poll(() => open.length).toBe(1);
    const draining = service.drain({ silentMs: 60_000, longestMs: 60_000 });
    // what a server says at once has come by then
    await new Promise((resolve) => session.ping(resolve));
    expect(await text(session.request({ ':path': '/later' }))).toBe('later');
    open[0]?.();
    if (slow !== null) expect(await text(slow)).toBe('slow');
    await draining;
    expect(session.destroyed).toBe(true);
  });

  it('closes an idle connection, and ends', async () => {
    await start();
    const one = await secure(ours.certificatePem, 'http/1.1');
    const two = openSession(await tunnel());
    await once(two, 'remoteSettings');
    one.resume();
    await service.drain({ silentMs: 60_000, longestMs: 60_000 });
    await expect.poll(() => [one.destroyed, two.destroyed]).toEqual([true, true]);
  });

  it('is over when the browser has ended a connection of HTTP/2, with an answer under way or without', async () => {
    const asked: string[] = [];
    answering = ({ url }) => void asked.push(url);
    await start();
    for (const path of [null, '/never']) {
      const socket = await tunnel();
      const session = openSession(socket);
      session.on('error', () => undefined);
      await once(session, 'remoteSettings');
      if (path !== null) {
        session.request({ ':path': path }).on('error', () => undefined);
        await expect.poll(() => asked).toEqual([path]);
      }
      const closed = once(socket, 'close');
      socket.end();
      socket.resume();
      await closed;
    }
    await service.drain({ silentMs: 60_000, longestMs: 60_000 });
  }, 10_000);

  it('is over when the browser has ended a connection before it was taken', async () => {
    await start();
    const browser = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true }).resume();
    browser.end(`CONNECT localhost:${port()} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
    await once(browser, 'close');
  });

  it.each([['nothing', ''], ['the beginning of its hello', '\x16\x03\x01\x00\xc8\x01']])('is over when the browser has sent %s and ended the connection', async (_, sent) => {
    await start();
    const socket = await tunnel();
    const closed = once(socket, 'close');
    socket.end(sent, 'latin1');
    socket.resume();
    await closed;
    await service.drain({ silentMs: 60_000, longestMs: 60_000 });
  }, 10_000);
});

/** Longer than a connection may be silent. */
const PIECES = 12;
const PIECE_MS = 100;
