import fc from 'fast-check';
import { createServer as createHttp2, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { UNCODED } from '../relay/codingTerms.ts';
import { RelayedConnection } from '../relay/relayedConnection.ts';
import { openLocally } from '../testing/loopback.ts';
import { plainCarrier, type PlainCarrier } from '../testing/plainCarrier.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { UpstreamRequest } from './fetch.ts';
import type { Upstream } from './upstream.ts';

const BODY = Buffer.from(Array.from({ length: 5_000 }, (_, place) => `line ${place}\n`).join(''));
const CUT = 20_000;
/** Bodies of the property's runs. */
const MAX_BYTES = 40_000;
/** On which nobody listens (RFC 1078, which nobody has). */
const NOBODYS_PORT = 1;

/** What the server itself answers, after the relay is gone. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
/** What the relay has said of the answer, and how much of it came. */
let begun: { readonly fields: Readonly<Record<string, string>>; readonly bytes: Buffer };
/** What the server was asked for, directly. */
let asked: { readonly range: string | undefined; readonly tag: string | undefined; readonly coding: string | undefined }[];
let relayed: number;
/** Where the server is, directly. */
let directPort: number;
let server: Server;
let relay: Http2Server;
let sessions: ServerHttp2Session[];
let carrier: PlainCarrier;
let upstream: Upstream;

beforeAll(async () => {
  server = createServer((request, response) => {
    const { range, 'if-range': tag, 'accept-encoding': coding } = request.headers;
    asked.push({ range, tag: tag as string | undefined, coding: coding });
    answer(request, response);
  });
  relay = createHttp2();
  relay.on('session', (each) => sessions.push(each.on('error', () => undefined)));
  relay.on('stream', (stream) => {
    stream.on('error', () => undefined);
    relayed += 1;
    stream.respond({ ':status': 200, ...begun.fields });
    if (begun.bytes.length > 0) stream.write(begun.bytes);
  });
  for (const each of [server, relay]) await listenLocally(each);
});
afterAll(() => Promise.all([server, relay].map(endServer)));
beforeEach(() => begin());
afterEach(() => end());

async function begin(): Promise<void> {
  [asked, relayed, sessions, directPort] = [[], 0, [], portOf(server)];
  begun = { fields: { 'content-type': 'text/plain', 'content-length': String(BODY.length) }, bytes: BODY.subarray(0, CUT) };
  answer = (request, response) => ranged(request, response, BODY, '"a"');
  carrier = await plainCarrier(relay);
  upstream = testUpstream(async (origin, id, onClosed) => {
    if (carrier.isOpen) return new RelayedConnection(id, origin, carrier, onClosed, { isUsable: () => carrier.isOpen, refused: () => undefined, answered: () => undefined, coding: () => UNCODED, bodies: null, servers: null });
    return new DirectConnection(id, origin, await openLocally(directPort), onClosed);
  });
}

function end(): void {
  upstream.close();
  carrier.session.destroy();
  for (const each of sessions) each.destroy();
}

/** A server as there are many: parts where the tag is still right, all else. */
function ranged(request: IncomingMessage, response: ServerResponse, body: Buffer, tag: string | null): void {
  response.setHeader('content-type', 'text/plain');
  if (tag !== null) response.setHeader('etag', tag);
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined || tag === null || request.headers['if-range'] !== tag) {
    response.writeHead(200, { 'content-length': body.length }).end(body);
  } else if (Number(first) >= body.length) response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end();
  else response.writeHead(206, { 'content-range': `bytes ${first}-${body.length - 1}/${body.length}`, 'content-length': body.length - Number(first) }).end(body.subarray(Number(first)));
}

/** Asks by a relay that dies when it has passed on what it is to. @returns how it ended, and what came */
async function load(changes: Partial<UpstreamRequest> = {}): Promise<{ readonly how: string; readonly body: Buffer; readonly heads: number }> {
  const chunks: Buffer[] = [];
  const over: PromiseWithResolvers<string> = Promise.withResolvers();
  let heads = 0;
  let bytes = 0;
  const kill = (): void => {
    if (heads === 1 && bytes >= begun.bytes.length) setImmediate(() => carrier.session.destroy());
  };
  upstream.fetch(requestTo(`http://127.0.0.1:${portOf(server)}`, { headers: ['host', 'a.test', 'accept-encoding', 'gzip, br', 'if-none-match', '"old"'], ...changes }), sinkOf({
    started: () => {
      heads += 1;
      kill();
    },
    data: (chunk) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (relayed === 1 && asked.length === 0) kill();
      return null;
    },
    ended: () => over.resolve('whole'),
    failed: ({ code }) => over.resolve(code),
  }));
  const how = await over.promise;
  return { how, body: Buffer.concat(chunks), heads };
}

const told = (fields: Readonly<Record<string, string>>): void => {
  begun = { ...begun, fields: { ...begun.fields, ...fields } };
};

describe('an answer that is lost with the relay in its middle', () => {
  it('goes on with the part that is missing, where it has a strong tag and came as it was', async () => {
    told({ etag: '"a"' });
    const { how, body, heads } = await load();
    expect([how, body.equals(BODY), heads, relayed]).toEqual(['whole', true, 1, 1]);
    expect(asked).toEqual([{ range: `bytes=${CUT}-`, tag: '"a"', coding: 'identity' }]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['no tag', {}],
    ['a weak one', { etag: 'W/"a"' }],
    ['a date alone', { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }],
  ])('comes again from its beginning with %s, and goes on from where it was', async (_case, fields) => {
    told(fields);
    const { how, body, heads } = await load();
    expect([how, body.equals(BODY), heads]).toEqual(['whole', true, 1]);
    expect(asked).toEqual([{ range: undefined, tag: undefined, coding: 'identity' }]);
  });

  it('in a coding of the server comes again in that', async () => {
    const coded = gzipSync(BODY);
    begun = { fields: { 'content-type': 'text/plain', 'content-encoding': 'gzip', etag: '"a"' }, bytes: coded.subarray(0, 2_000) };
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(coded);
    const { how, body } = await load();
    expect([how, body.equals(coded)]).toEqual(['whole', true]);
    expect(asked).toEqual([{ range: undefined, tag: undefined, coding: 'gzip, br' }]);
  });

  it.each([BODY.length, null])('is whole where only its end is lost; length said: %s', async (length) => {
    begun = { fields: { 'content-type': 'text/plain', etag: '"a"', ...(length !== null && { 'content-length': String(length) }) }, bytes: BODY };
    const { how, body } = await load();
    expect([how, body.equals(BODY)]).toEqual(['whole', true]);
    // what is behind the end is no part of it (416), so all of it is compared
    expect(asked.map(({ range }) => range)).toEqual(length === null ? [`bytes=${BODY.length}-`, undefined] : []);
  });

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['another tag, and the same bytes', (request, response) => ranged(request, response, BODY, '"b"')],
    ['all of it to who asks for a part', (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(BODY)],
    ['another part, and then all', (request, response) => {
      if (request.headers.range === undefined) ranged(request, response, BODY, '"a"');
      else response.writeHead(206, { 'content-range': `bytes ${CUT + 1}-${BODY.length - 1}/${BODY.length}` }).end(BODY.subarray(CUT + 1));
    }],
    ['a part of something longer, and then all', (request, response) => {
      if (request.headers.range === undefined) ranged(request, response, BODY, '"a"');
      else response.writeHead(206, { 'content-range': `bytes ${CUT}-${BODY.length}/${BODY.length + 1}` }).end(Buffer.concat([BODY.subarray(CUT), Buffer.from('x')]));
    }],
    ['a part with another tag, and then all', (request, response) => {
      if (request.headers.range === undefined) ranged(request, response, BODY, '"a"');
      else response.writeHead(206, { etag: '"b"', 'content-range': `bytes ${CUT}-${BODY.length - 1}/${BODY.length}` }).end(Buffer.alloc(BODY.length - CUT, 'x'));
    }],
    ['no part (416), and then all', (request, response) => {
      if (request.headers.range === undefined) ranged(request, response, BODY, '"a"');
      else response.writeHead(416).end();
    }],
  ])('goes on byte by byte where the server gives %s', async (_case, giving) => {
    told({ etag: '"a"' });
    answer = giving;
    const { how, body } = await load();
    expect([how, body.equals(BODY)]).toEqual(['whole', true]);
  });

  const changed = Buffer.concat([Buffer.from('X'), BODY.subarray(1)]);
  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['other bytes where some have passed', (request, response) => ranged(request, response, changed, '"b"')],
    ['another length', (request, response) => ranged(request, response, Buffer.concat([BODY, BODY]), '"b"')],
    ['another length, which it does not say', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(BODY);
      response.end('x');
    }],
    ['less than has passed, and does not say so', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(BODY.subarray(0, 100));
      response.end();
    }],
    ['less than was said', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write(BODY.subarray(0, CUT + 1));
      response.end();
    }],
    ['another kind', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(BODY)],
    ['another coding', (_request, response) => response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync(BODY))],
    ['an error', (_request, response) => response.writeHead(503).end('busy')],
    ['nothing', (request) => request.socket.destroy()],
    ['a part of the rest, and breaks off', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': BODY.length });
      response.write(BODY.subarray(0, CUT + 5), () => response.destroy());
    }],
  ])('breaks off, with no wrong byte, where the server gives %s', async (_case, giving) => {
    answer = giving;
    const { how, body, heads } = await load();
    expect([how, heads]).toEqual(['E_UPSTREAM', 1]);
    expect(BODY.subarray(0, body.length).equals(body)).toBe(true);
    expect(body.length).toBeGreaterThanOrEqual(CUT);
  });

  it('breaks off where it tells what happens: the rest of that nobody has', async () => {
    told({ 'content-type': 'text/event-stream; charset=utf-8' });
    expect((await load()).how).toBe('E_UPSTREAM');
    expect(asked).toEqual([]);
  });

  it('breaks off where there is no direct way', async () => {
    directPort = NOBODYS_PORT;
    const { how, body } = await load();
    expect([how, body.equals(BODY.subarray(0, CUT))]).toEqual(['E_CONNECT', true]);
  });

  it.each<[string, Partial<UpstreamRequest>]>([
    ['POST', { method: 'POST', body: Readable.from([]) }],
    ['a part that the browser itself asks for', { headers: ['host', 'a.test', 'range', 'bytes=0-99999'] }],
  ])('breaks off where nobody may ask again: %s', async (_case, request) => {
    told({ etag: '"a"' });
    expect((await load(request)).how).toBe('E_UPSTREAM');
    expect(asked).toEqual([]);
  });
});

it('whatever the server gives, an answer is never made of two: it is what the server has now, or a beginning of what it had', async () => {
  const tags = [null, '"a"', 'W/"a"'];
  await fc.assert(fc.asyncProperty(
    fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.integer({ min: 1, max: MAX_BYTES }), fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...tags),
    fc.option(fc.record({ place: fc.double({ min: 0, max: 1, noNaN: true }), longer: fc.integer({ min: -3, max: 3 }) })), fc.boolean(), fc.boolean(),
    async (pattern, length, cutAt, tag, change, saysLength, takesRanges) => {
      end();
      await begin();
      const body = Buffer.alloc(length, pattern);
      const cut = Math.floor(cutAt * length);
      const now = change === null ? body : Buffer.alloc(Math.max(0, length + change.longer), body);
      if (change !== null && now.length > 0) {
        const place = Math.min(now.length - 1, Math.floor(change.place * now.length));
        now[place] = (now[place] ?? 0) ^ 1;
      }
      begun = { fields: { 'content-type': 'text/plain', ...(tag !== null && { etag: tag }), ...(saysLength && { 'content-length': String(length) }) }, bytes: body.subarray(0, cut) };
      // a server whose bytes have changed has another tag
      const tagNow = change === null ? tag : '"b"';
      answer = (request, response) => ranged(request, response, now, takesRanges ? tagNow : null);
      const { how, body: came, heads } = await load();
      expect(heads).toBe(1);
      // all of it had come, and only its end was lost
      const wasComplete = saysLength && cut === length;
      if (how === 'whole') expect(came.equals(wasComplete ? body : now)).toBe(true);
      else expect(came.equals(body.subarray(0, came.length)) || came.equals(now.subarray(0, came.length))).toBe(true);
      if (change === null) expect(how).toBe('whole');
    },
  ), { numRuns: 60 });
}, 60_000);
