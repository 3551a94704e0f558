import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttp1, type IncomingMessage, type Server as Http1Server, type ServerResponse } from 'node:http';
import { connect as connectHttp2, constants, createSecureServer, createServer as createHttp2, type Http2SecureServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { temporaryCertificate, type TemporaryCertificate } from '../testing/temporaryCertificate.ts';
import { TestCarrier } from '../testing/testCarrier.ts';
import { ClientRequests } from './clientRequests.ts';
import { ServerAgent } from './serverAgent.ts';
import { StreamAnswer } from './streamAnswer.ts';

/** Longer than what is sent takes over loopback. */
const LATER_MS = 80;
const MAX_REQUESTS = 5;
const LONG_POLL_MS = 900_000;

let certificate: TemporaryCertificate;
let closing: (() => unknown)[];
let carrier: TestCarrier;
/** Connections that the relay has made, in their order. */
let opened: Socket[];
/** Those that servers have taken, in their order. */
let accepted: Socket[];

beforeAll(() => (certificate = temporaryCertificate('localhost')));
beforeEach(async () => {
  [closing, opened, accepted] = [[], [], []];
  carrier = await newCarrier();
});
afterEach(async () => {
  await Promise.all(closing.reverse().map((close) => close()));
});

/** Another client of the relay. */
async function newCarrier(authorities: string | null = certificate.cert, maxRequests = MAX_REQUESTS): Promise<TestCarrier> {
  const openTcp = async (host: string, port: number): Promise<Socket> => {
    if (host === 'private.test') throw new FirstscreenError('E_ADDRESS', 'not of the public web', '');
    const socket = connect(port, '127.0.0.1');
    opened.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  const carrier = await TestCarrier.start(new ClientRequests(new ServerAgent(openTcp, new TlsStarter(authorities)), undefined, maxRequests));
  closing.push(() => carrier.close());
  return carrier;
}

async function listening(server: Http1Server | Http2Server | Http2SecureServer | Server): Promise<number> {
  server.on('connection', (socket: Socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
  });
  await listenLocally(server);
  closing.push(() => endServer(server));
  return portOf(server);
}

/** A server of HTTP/1.1. @returns its origin */
async function http1(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<string> {
  return `http://localhost:${await listening(createHttp1((request, response) => {
    response.sendDate = false;
    void answer(request, response);
  }))}`;
}

/** One that answers each request with bytes of the test. @returns its origin */
async function bytewise(answer: (socket: Socket, head: string, count: number) => unknown): Promise<string> {
  let count = 0;
  return `http://localhost:${await listening(createServer((socket) => {
    socket.on('data', (chunk) => {
      const head = chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) void answer(socket, head, count++);
    });
  }))}`;
}

/** A server of HTTP/2. @returns its origin */
async function http2(answer: (stream: ServerHttp2Stream, raw: readonly string[]) => unknown): Promise<string> {
  const server = createSecureServer({ ...certificate });
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream: ServerHttp2Stream, _headers: unknown, _flags: number, raw: readonly string[]) => {
    stream.on('error', () => undefined);
    void answer(stream, raw);
  });
  return `https://localhost:${await listening(server)}`;
}

it('a server of HTTP/1.1 is asked for the most urgent next, and not for what is wanted no more', async () => {
  const many = await newCarrier(certificate.cert, 20);
  const [asked, answers]: [string[], (() => void)[]] = [[], []];
  const origin = await http1((request, response) => {
    asked.push(request.url ?? '');
    answers.push(() => response.end());
  });
  const ask = (path: string, level: number): Promise<unknown> => many.ask({ origin, path, level });
  const first = [1, 2, 3, 4, 5, 6].map((place) => ask(`/${place}`, 5));
  await expect.poll(() => asked.length).toBe(6);
  const later = ask('/later', 5);
  const gone = many.stream({ origin, path: '/gone', level: 1 });
  const urgent = ask('/urgent', 2);
  await sleep(LATER_MS);
  gone.close(constants.NGHTTP2_CANCEL);
  await sleep(LATER_MS);
  expect(asked).toHaveLength(6);
  for (let answered = 0; answered < 8; answered += 1) {
    await expect.poll(() => answers.length).toBeGreaterThan(answered);
    answers[answered]?.();
  }
  await Promise.all([...first, urgent, later]);
  expect(asked.slice(6)).toEqual(['/urgent', '/later']);
});

describe('what a server answers', () => {
  it.each([['its length is said', true], ['in chunks', false]])('comes byte by byte where %s', async (_, hasLength) => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 50_000 }), { maxLength: 6 }), async (pieces) => {
        const origin = await http1((_request, response) => {
          if (hasLength) response.setHeader('content-length', pieces.reduce((sum, { length }) => sum + length, 0));
          response.flushHeaders();
          for (const piece of pieces) response.write(piece);
          response.end();
        });
        const { body, end } = await carrier.ask({ origin });
        expect([Buffer.compare(body, Buffer.concat(pieces)), end]).toEqual([0, 'whole']);
      }),
      { numRuns: 15 },
    );
  });

  it('keeps its fields as they are, coded as it is', async () => {
    const body = gzipSync('text '.repeat(1000));
    const origin = await http1((_request, response) => {
      response.writeHead(200, ['Content-Encoding', 'gzip', 'Set-Cookie', 'a=1', 'X-Name', 'caf\xe9', 'Set-Cookie', 'b=2', 'Connection', 'X-Hop', 'X-Hop', '1', 'Via', '1.1 theirs', 'Content-Length', String(body.length)]);
      response.end(body);
    });
    const seen = await carrier.ask({ origin, fields: ['accept-encoding', 'gzip, br, zstd'] });
    expect(seen.raw).toEqual([':status', '200', 'content-encoding', 'gzip', 'set-cookie', 'a=1', 'x-name', 'caf\xe9', 'set-cookie', 'b=2', 'via', '1.1 theirs', 'content-length', String(body.length)]);
    expect(seen.body.equals(body)).toBe(true);
  });

  it.each([
    ['a part', 206, ['content-range', 'bytes 0-3/10'], 'part'],
    ['that nothing has changed', 304, ['etag', '"a"'], ''],
    ['a redirection, which nobody follows', 302, ['location', 'http://private.test/'], 'gone'],
    ['nothing', 204, ['x', 'y'], ''],
    ['an error', 500, ['x', 'y'], 'error'],
  ])('is %s', async (_, status, fields, text) => {
    const origin = await http1((_request, response) => response.writeHead(status, [...fields, ...(text === '' ? [] : ['content-length', String(text.length)])]).end(text));
    const seen = await carrier.ask({ origin, fields: ['range', 'bytes=0-3', 'if-none-match', '"a"'] });
    expect([seen.raw.slice(0, 2), seen.raw.slice(2, 4), seen.body.toString(), seen.end]).toEqual([[':status', String(status)], fields, text, 'whole']);
    expect(opened.length).toBe(1);
  });

  it('that has no status of HTTP is for the browser to see; what may do something is not made twice for it', async () => {
    const origin = await bytewise((socket) => socket.write('HTTP/1.1 999 Denied\r\nContent-Length: 2\r\n\r\nno'));
    expect((await carrier.ask({ origin })).raw.slice(0, 4)).toEqual([':status', '501', 'firstscreen-error', 'E_RELAY_UNSUPPORTED']);
    const seen = await carrier.ask({ method: 'POST', origin, body: Buffer.from('x') });
    expect([seen.raw, seen.end]).toEqual([[], constants.NGHTTP2_INTERNAL_ERROR]);
  });

  it('has no body to HEAD, whose length is said', async () => {
    const origin = await http1((_request, response) => response.writeHead(200, { 'content-length': 1234 }).end());
    const seen = await carrier.ask({ method: 'HEAD', origin });
    expect([seen.raw.slice(0, 4), seen.body.length, seen.end]).toEqual([[':status', '200', 'content-length', '1234'], 0, 'whole']);
  });

  it('may have something before it and behind it', async () => {
    const origin = await bytewise((socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n4\r\nbody\r\n0\r\nX-End: caf\xe9\r\n\r\n', 'latin1'));
    const seen = await carrier.ask({ origin });
    expect(seen.informed).toEqual([[':status', '103', 'link', '</a>', 'link', '</b>']]);
    expect([seen.raw, seen.body.toString(), seen.trailers, seen.end]).toEqual([[':status', '200', 'trailer', 'X-End'], 'body', ['x-end', 'caf\xe9'], 'whole']);
  });

  it('has no more before it than is of use, however much its server says', async () => {
    const origin = await bytewise((socket) => socket.end(`${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody`));
    const seen = await carrier.ask({ origin });
    expect([seen.informed.length, seen.body.toString(), seen.end]).toEqual([8, 'body', 'whole']);
  });

  it('may come over HTTP/2, many on one connection', async () => {
    const bytes = randomBytes(200_000);
    const origin = await http2((stream) => {
      stream.respond([':status', '200', 'x-a', '1', 'set-cookie', 'a', 'set-cookie', 'b', 'date', 'today'], { waitForTrailers: true });
      stream.once('wantTrailers', () => stream.sendTrailers({ 'x-end': '1' }));
      stream.end(bytes);
    });
    const seen = await Promise.all([1, 2, 3].map(() => carrier.ask({ origin })));
    for (const { raw, body, trailers, end } of seen) {
      expect([raw, [body.length, Buffer.compare(body, bytes)], trailers, end]).toEqual([[':status', '200', 'x-a', '1', 'set-cookie', 'a', 'set-cookie', 'b', 'date', 'today'], [bytes.length, 0], ['x-end', '1'], 'whole']);
    }
    expect(opened.length).toBe(1);
  });
});

describe('what a server is asked', () => {
  it('is what the browser has said, and nothing of a relay', async () => {
    let head = '';
    const origin = await bytewise((socket, text) => {
      head = text;
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
    await carrier.ask({ origin, path: '/a%20b?c=d', fields: ['accept-encoding', 'gzip, br', 'cookie', 'a=1', 'user-agent', 'Browser', 'firstscreen-error', 'x', 'x-name', 'caf\xe9'] });
    expect(head.split('\r\n').filter((line) => line !== '').map((line) => line.replace(/^connection: .*/i, ''))).toEqual([
      'GET /a%20b?c=d HTTP/1.1', `host: ${new URL(origin).host}`, '', 'accept-encoding: gzip, br', 'cookie: a=1', 'user-agent: Browser', 'x-name: caf\xe9',
    ]);
  });

  it('has no cookie that another answer has set', async () => {
    const cookies: unknown[] = [];
    const origin = await http1(({ headers }, response) => {
      cookies.push(headers.cookie);
      response.writeHead(200, { 'set-cookie': 'a=1' }).end();
    });
    for (const _ of [1, 2]) await carrier.ask({ origin });
    expect(cookies).toEqual([undefined, undefined]);
  });

  it.each([['its length is said', true], ['its length is not known', false]])('is a body, byte by byte, where %s', async (_, hasLength) => {
    const bytes = randomBytes(300_000);
    const origin = await http1(async (request, response) => {
      response.end((await buffer(request)).equals(bytes) ? 'the same' : 'another');
    });
    const seen = await carrier.ask({ method: 'POST', origin, body: bytes, fields: hasLength ? ['content-length', String(bytes.length)] : [] });
    expect([seen.body.toString(), seen.end]).toEqual(['the same', 'whole']);
  });

  it('is not the end of a body that is cut off', async () => {
    const ends: string[] = [];
    const origin = await http1((request) => {
      request.resume();
      request.once('end', () => ends.push('end'));
      request.once('close', () => ends.push('close'));
      request.on('error', () => undefined);
    });
    const body = new PassThrough();
    const stream = carrier.stream({ method: 'POST', origin, body });
    body.write('part');
    await expect.poll(() => opened.length).toBe(1);
    await sleep(LATER_MS);
    stream.destroy(new Error('cut off'));
    await expect.poll(() => ends).toEqual(['close']);
  });

  it('is not that, either, over HTTP/2', async () => {
    const seen: string[] = [];
    const origin = await http2((stream) => {
      stream.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
      stream.once('end', () => seen.push('end'));
      stream.once('close', () => seen.push('close'));
    });
    const body = new PassThrough();
    const stream = carrier.stream({ method: 'POST', origin, body });
    body.write('part');
    await expect.poll(() => seen).toEqual(['part']);
    stream.destroy(new Error('cut off'));
    await expect.poll(() => seen).toEqual(['part', 'close']);
  });

  it('may be answered before all of its body has come', async () => {
    const origin = await http1((_request, response) => response.writeHead(413, { 'content-length': 2, connection: 'close' }).end('no'));
    const body = new PassThrough();
    body.write(Buffer.alloc(100));
    const seen = await carrier.ask({ method: 'POST', origin, body });
    expect([seen.raw.slice(0, 2), seen.body.toString(), seen.end]).toEqual([[':status', '413'], 'no', 'whole']);
  });

  it('is given up when the helper wants it no more', async () => {
    let isGone = false;
    const origin = await http1((_request, response) => {
      response.write('part');
      response.once('close', () => (isGone = true));
    });
    const stream = carrier.stream({ origin });
    await once(stream, 'data');
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => isGone).toBe(true);
  });
});

describe('what a server does not bring to an end', () => {
  it.each([
    ['its length is said', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\npart'],
    ['it comes in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n'],
  ])('is never whole where %s', async (_, bytes) => {
    const origin = await bytewise((socket) => socket.end(bytes));
    const seen = await carrier.ask({ origin });
    expect([seen.raw.slice(0, 2), seen.body.toString(), seen.end]).toEqual([[':status', '200'], 'part', constants.NGHTTP2_INTERNAL_ERROR]);
  });

  it('is never whole where it is reset over HTTP/2', async () => {
    const origin = await http2((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part', () => setTimeout(() => stream.destroy(new Error('cut off')), LATER_MS));
    });
    const seen = await carrier.ask({ origin });
    expect([seen.body.toString(), seen.end]).toEqual(['part', constants.NGHTTP2_INTERNAL_ERROR]);
  });

  it.each([['nothing', ''], ['no HTTP', 'garbage\r\n\r\n'], ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}`], ['a field that is none', 'HTTP/1.1 200 OK\r\nx y: z\r\n\r\n']])('is no answer where it says %s', async (_, bytes) => {
    const origin = await bytewise((socket) => socket.end(bytes));
    const seen = await carrier.ask({ method: 'POST', origin });
    expect([seen.raw, seen.end]).toEqual([[], constants.NGHTTP2_INTERNAL_ERROR]);
  });
});

it('an answer is waited for however long it takes: a browser that does not wait says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let response: ServerResponse | null = null;
    const origin = await http1((_, late) => (response = late));
    const asked = carrier.ask({ method: 'POST', origin });
    await expect.poll(() => response).not.toBeNull();
    await vi.advanceTimersByTimeAsync(LONG_POLL_MS);
    (response as ServerResponse | null)?.end('late');
    expect((await asked).body.toString()).toBe('late');
  } finally {
    vi.useRealTimers();
  }
});

describe('a kept connection that has ended', () => {
  const once200 = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const methods: string[] = [];
  /** Ends the connection at the second request. */
  const origin = (): Promise<string> => {
    methods.length = 0;
    return bytewise((socket, head, count) => {
      methods.push(head.split(' ')[0] ?? '');
      if (count === 1) socket.destroy();
      else socket.write(once200);
    });
  };

  it('costs a safe request nothing', async () => {
    const there = await origin();
    await carrier.ask({ origin: there });
    expect((await carrier.ask({ origin: there })).body.toString()).toBe('ok');
    expect(methods).toEqual(['GET', 'GET', 'GET']);
  });

  it('a request that may do something is not made twice', async () => {
    const there = await origin();
    await carrier.ask({ origin: there });
    expect((await carrier.ask({ method: 'POST', origin: there })).end).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    await sleep(LATER_MS);
    expect(methods).toEqual(['GET', 'POST']);
  });
});

describe('a POST over HTTP/2', () => {
  /** What is answered with its body by a server that ends so many of them. @returns what the relay answers, and what the server was asked */
  async function post(bytes: number, count: number, end: (stream: ServerHttp2Stream) => unknown): Promise<readonly [unknown, readonly string[]]> {
    const methods: string[] = [];
    const origin = await http2((stream, raw) => {
      methods.push(raw[raw.indexOf(':method') + 1] ?? '');
      if (methods.length > 1 && methods.length <= 1 + count) end(stream);
      else {
        stream.respond({ ':status': 200 });
        stream.pipe(stream);
      }
    });
    await carrier.ask({ origin });
    const body = randomBytes(bytes);
    const seen = await carrier.ask({ method: 'POST', origin, body, fields: ['content-length', String(bytes)] });
    if (seen.end !== 'whole') await sleep(LATER_MS);
    return [seen.body.equals(body) ? seen.end : [seen.body.length, seen.end], methods];
  }

  const SHORT_BYTES = 64 * 1024;
  const CUT_OFF = [0, constants.NGHTTP2_INTERNAL_ERROR];
  const refuse = (stream: ServerHttp2Stream): void => stream.close(constants.NGHTTP2_REFUSED_STREAM);

  // the streams before are all that it has taken
  it.each([['goes away before it', ({ session, id }: ServerHttp2Stream) => session?.goaway(0, Number(id) - 2)], ['refuses it', refuse]])('is made again where its server %s', async (_, end) => {
    expect(await post(SHORT_BYTES, 1, end)).toEqual(['whole', ['GET', 'POST', 'POST']]);
  });

  it('is not made a third time', async () => {
    expect(await post(1, 2, refuse)).toEqual([CUT_OFF, ['GET', 'POST', 'POST']]);
  });

  it('is not made again where its body is long, and has passed', async () => {
    expect(await post(SHORT_BYTES + 1, 1, refuse)).toEqual([CUT_OFF, ['GET', 'POST']]);
  });

  it.each([
    ['goes away, and has taken it', ({ session, id }: ServerHttp2Stream) => session?.goaway(0, id)],
    ['fails, and has taken it', ({ session, id }: ServerHttp2Stream) => session?.goaway(constants.NGHTTP2_INTERNAL_ERROR, id)],
    ['ends the session', ({ session }: ServerHttp2Stream) => session?.destroy()],
    ['ends the connection', () => accepted.at(-1)?.end()],
    ['resets the connection', () => accepted.at(-1)?.resetAndDestroy()],
    ['gives it up', (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR)],
  ])('is not made again where its server may have taken it: it %s', async (_, end) => {
    const ended = await post(5, 1, (stream) => {
      end(stream);
      setTimeout(() => stream.destroy(), LATER_MS);
    });
    expect(ended).toEqual([CUT_OFF, ['GET', 'POST']]);
  });

  it('is not made with a part of its body, for which there is a connection already', async () => {
    let count = 0;
    const origin = await http2(() => (count += 1));
    const body = new PassThrough();
    const stream = carrier.stream({ method: 'POST', origin, body, fields: ['content-length', '10'] });
    body.write('part');
    await expect.poll(() => accepted.length).toBe(1);
    stream.destroy(new Error('cut off'));
    await sleep(LATER_MS);
    expect(count).toBe(0);
  });
});

it('what may not be made twice goes on no connection of HTTP/1.1 that has rested, which its server may be closing', async () => {
  const there = await http1((_request, response) => response.end('ok'));
  const restedMs = performance.now();
  const clock = vi.spyOn(performance, 'now');
  const seen: [string, number][] = [];
  for (const [method, seconds] of [['GET', 0], ['GET', 10], ['POST', 20], ['POST', 21]] as const) {
    clock.mockReturnValue(restedMs + 1_000 * seconds);
    seen.push([(await carrier.ask({ method, origin: there })).body.toString(), opened.length]);
  }
  clock.mockRestore();
  expect(seen).toEqual([['ok', 1], ['ok', 1], ['ok', 2], ['ok', 2]]);
});

describe('what the relay does not do', () => {
  const codeOf = async (asked: Parameters<TestCarrier['ask']>[0], by = carrier): Promise<readonly string[]> => (await by.ask(asked)).raw.slice(0, 4);

  it('is ask an address that is not of the public web', async () => {
    expect(await codeOf({ origin: 'https://private.test' })).toEqual([':status', '403', 'firstscreen-error', 'E_ADDRESS']);
  });

  it('is believe a server that does not verify', async () => {
    let count = 0;
    const origin = await http2(() => (count += 1));
    expect(await codeOf({ origin }, await newCarrier(null))).toEqual([':status', '502', 'firstscreen-error', 'E_UPSTREAM_TLS']);
    expect(await codeOf({ origin: origin.replace('localhost', 'other.test') })).toEqual([':status', '502', 'firstscreen-error', 'E_UPSTREAM_TLS']);
    expect(count).toBe(0);
  });

  it('is stand for a user with a certificate', async () => {
    const server = createTls({ ...certificate, requestCert: true, rejectUnauthorized: false });
    const origin = `https://localhost:${await listening(server)}`;
    expect(await codeOf({ origin })).toEqual([':status', '502', 'firstscreen-error', 'E_CLIENT_CERTIFICATE']);
  });

  it('is speak other schemes', async () => {
    expect(await codeOf({ origin: 'ftp://localhost' })).toEqual([':status', '501', 'firstscreen-error', 'E_RELAY_UNSUPPORTED']);
  });

  it('is more at once than one client may', async () => {
    const origin = await http1(() => undefined);
    const streams = Array.from({ length: MAX_REQUESTS }, () => carrier.stream({ origin }));
    await expect.poll(() => opened.length).toBe(MAX_REQUESTS);
    expect(await codeOf({ origin })).toEqual([':status', '429', 'firstscreen-error', 'E_RELAY_LIMIT']);
    streams[0]?.close(constants.NGHTTP2_CANCEL);
    await expect.poll(async () => (await codeOf({ origin: 'https://private.test' }))[3]).toBe('E_ADDRESS');
  });

  it('is let a server speak for it', async () => {
    const origin = await http1((_request, response) => response.writeHead(403, ['Firstscreen-Error', 'E_NAME', 'HTTP2-Settings', 'x', 'Content-Length', '0']).end());
    expect((await carrier.ask({ origin })).raw).toEqual([':status', '403', 'content-length', '0']);
  });

  it('is read more than the helper takes', async () => {
    let sentBytes = 0;
    const origin = await http1((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024), () => (sentBytes += 64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    const stream = carrier.stream({ origin });
    await once(stream, 'response');
    stream.pause();
    await sleep(LATER_MS);
    await expect.poll(async () => {
      const before = sentBytes;
      await sleep(LATER_MS);
      return sentBytes - before;
    }).toBe(0);
    // what sockets of loopback take, of which the relay itself has the least
    expect(opened[0]?.bytesRead).toBeLessThan(1024 * 1024);
    stream.close(constants.NGHTTP2_CANCEL);
  });
});

it('a stream that its client has broken off, and that is not destroyed yet, gets no answer', async () => {
  const requests = new ClientRequests(new ServerAgent(() => Promise.reject(new Error('nobody is connected to')), new TlsStarter(null)));
  const seen = Promise.withResolvers<unknown>();
  const server = createHttp2();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.close(constants.NGHTTP2_CANCEL);
    try {
      requests.make(stream, [], { levelOf: (_, level) => level, isBusy: () => false, opened: () => undefined, send: () => undefined });
      new StreamAnswer({ stream, body: null, status: 200, hasBody: true, send: () => undefined, more: () => undefined }).start([]);
      seen.resolve({ isDestroyed: stream.destroyed, isAnswered: stream.headersSent });
    } catch (error) {
      seen.reject(error);
    }
  });
  const port = await listening(server);
  const session = connectHttp2(`http://127.0.0.1:${port}`).on('error', () => undefined);
  closing.push(() => session.destroy(), () => requests.close());
  session.request().on('error', () => undefined);
  expect(await seen.promise).toEqual({ isDestroyed: false, isAnswered: false });
});

it('an answer with fields that HTTP/2 does not carry is cut off, whenever it begins', async () => {
  const server = createHttp2();
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    new StreamAnswer({ stream, body: null, status: 200, hasBody: true, send: () => undefined, more: () => undefined }).start(['connection', 'close']);
  });
  const session = connectHttp2(`http://127.0.0.1:${await listening(server)}`).on('error', () => undefined);
  closing.push(() => session.destroy());
  const stream = session.request().on('error', () => undefined);
  await new Promise((resolve) => stream.once('close', resolve));
  expect(stream.rstCode).toBe(constants.NGHTTP2_INTERNAL_ERROR);
});

it('two clients have nothing in common', async () => {
  const connections = new Set<unknown>();
  const origin = await http1(({ socket }, response) => {
    connections.add(socket);
    response.end(String(connections.size));
  });
  const other = await newCarrier();
  expect((await carrier.ask({ origin })).body.toString()).toBe('1');
  expect((await other.ask({ origin })).body.toString()).toBe('2');
  expect((await carrier.ask({ origin })).body.toString()).toBe('2');
  expect(connections.size).toBe(2);
});
