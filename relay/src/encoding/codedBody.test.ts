import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants, deflateRawSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectLocally, endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ClientRequests } from '../requests/clientRequests.ts';
import { ServerAgent } from '../requests/serverAgent.ts';
import { TestCarrier, type Seen } from '../testing/testCarrier.ts';
import { AnswerCoding } from './answerCoding.ts';
import { BROTLI } from './bodyEncoders.ts';
import { BodyMemory, type ClientBodies } from './bodyMemory.ts';
import { Room } from '../../../shared/src/node/reading/room.ts';

const MAY = ['firstscreen-encode', 'zstd, keep'];
const MAY_BROTLI = ['firstscreen-encode', 'br, zstd, keep'];
const OF_ANOTHER_SITE = ['sec-fetch-site', 'cross-site'];
const FORMER = Buffer.from(randomBytes(9_000).toString('base64'));
const CODINGS: Readonly<Record<string, (body: Uint8Array) => Buffer>> = { '': (body) => Buffer.from(body), identity: (body) => Buffer.from(body), gzip: gzipSync, br: brotliCompressSync, deflate: deflateRawSync, zstd: zstdCompressSync };

let carriers: TestCarrier[];
let carrier: TestCarrier;
let memory: BodyMemory;
let encoders: Room;
let server: Server;
let origin: string;
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;

beforeEach(async () => {
  [carriers, memory, encoders] = [[], new BodyMemory(), new Room(1)];
  server = createServer((request, response) => void answer(request, response));
  origin = `http://a.test:${portOf(await listenLocally(server))}`;
  carrier = await carrierOf('laptop');
});
afterEach(async () => {
  for (const each of carriers) await each.close();
  await endServer(server);
});

async function carrierOf(client: string, wholeBytes?: number): Promise<TestCarrier> {
  const made = await TestCarrier.start(new ClientRequests(new ServerAgent((_host, port) => connectLocally(port), new TlsStarter(null)), new AnswerCoding(null, memory.of(client), undefined, encoders, wholeBytes)));
  carriers.push(made);
  return made;
}

const valueIn = ({ raw }: Seen, name: string): string | undefined => (raw.includes(name) ? raw[raw.indexOf(name) + 1] : undefined);
const serve = (body: Uint8Array, fields: Record<string, string | number> = {}): void => {
  answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html', ...fields }).end(body);
};

/** What the helper makes of it. */
function plain(seen: Seen, own: readonly Buffer[]): Buffer {
  const [coding, hash] = (valueIn(seen, 'firstscreen-coded') ?? '').split(' ');
  if (coding === 'br') return brotliDecompressSync(seen.body);
  const dictionary = own.find((body) => hashOf(body) === hash);
  return zstdDecompressSync(seen.body, dictionary && { dictionary });
}

/** Has the relay know a body. */
async function given(body: Buffer, path = '/', via = carrier): Promise<void> {
  serve(body);
  await via.ask({ origin, path, fields: MAY });
}

describe('a body for a helper that takes it in a coding of the carrier', () => {
  it('is just what the server means, in whatever coding and pieces that comes, against a former body or none', async () => {
    await given(FORMER);
    const part = fc.oneof(fc.uint8Array({ maxLength: 20_000 }), fc.tuple(fc.nat(FORMER.length), fc.nat(9_000)).map(([from, length]) => FORMER.subarray(from, from + length)));
    await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.constantFrom(...Object.keys(CODINGS)), fc.boolean(), fc.boolean(), fc.nat(5_000), async (parts, coding, takesBrotli, hasDictionary, split) => {
      const body = Buffer.concat(parts);
      const sent = CODINGS[coding]?.(body) ?? body;
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html', etag: '"v1"', ...(coding !== '' && { 'content-encoding': coding }) });
        response.write(sent.subarray(0, split));
        response.end(sent.subarray(split));
      };
      const seen = await carrier.ask({ origin, fields: [...(takesBrotli ? MAY_BROTLI : MAY), ...(hasDictionary ? ['firstscreen-dictionary', `${hashOf(Buffer.from('unknown'))}, ${hashOf(FORMER)}`] : [])] });
      expect(seen.end).toBe('whole');
      const isCoded = hasDictionary || !['br', 'zstd'].includes(coding);
      expect(valueIn(seen, 'firstscreen-coded')).toBe(isCoded ? [takesBrotli && !hasDictionary ? 'br' : 'zstd', ...(hasDictionary ? [hashOf(FORMER)] : [])].join(' ') : undefined);
      expect((isCoded ? plain(seen, [FORMER]) : seen.body).equals(isCoded ? body : sent)).toBe(true);
      // one frame, and nothing behind it
      if (isCoded && (hasDictionary || !takesBrotli)) expect(seen.body.lastIndexOf(Buffer.from('28b52ffd', 'hex'))).toBe(0);
      // the tag is of the bytes that the server has sent
      expect([valueIn(seen, 'content-encoding'), valueIn(seen, 'etag')]).toEqual(isCoded ? [undefined, ['', 'identity'].includes(coding) ? '"v1"' : 'W/"v1"'] : [coding, '"v1"']);
    }), { numRuns: 60 });
  });

  it('comes as it is while as many are coded as there is room for, whoever asks, and no longer', async () => {
    const begun: ServerResponse[] = [];
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(FORMER);
      begun.push(response);
    };
    const ask = async (via: TestCarrier): Promise<string | undefined> => valueIn(await via.ask({ origin, fields: MAY }), 'firstscreen-coded');
    const first = ask(carrier);
    await expect.poll(() => begun.length).toBe(1);
    const second = ask(await carrierOf('phone'));
    await expect.poll(() => begun.length).toBe(2);
    for (const response of begun) response.end();
    expect(await Promise.all([first, second])).toEqual(['zstd', undefined]);
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(FORMER);
    await expect.poll(() => ask(carrier)).toBe('zstd');
  });

  it('is as small as in one piece where it came in one', async () => {
    // each piece that goes on by itself takes some bytes of its own
    const body = Buffer.alloc(2_000_000, 'text');
    serve(gzipSync(body), { 'content-encoding': 'gzip' });
    const seen = await carrier.ask({ origin, fields: MAY_BROTLI });
    expect(plain(seen, []).equals(body)).toBe(true);
    expect(seen.body.length).toBeLessThan(2 * brotliCompressSync(body, { params: BROTLI }).length);
  });

  it('is a few bytes where little has changed', async () => {
    await given(FORMER);
    const body = Buffer.concat([FORMER.subarray(0, 5_000), Buffer.from('new'), FORMER.subarray(5_000)]);
    serve(body, { 'content-length': body.length });
    const seen = await carrier.ask({ origin, fields: [...MAY, 'firstscreen-dictionary', hashOf(FORMER)] });
    expect([plain(seen, [FORMER]).equals(body), seen.body.length < 120, valueIn(seen, 'firstscreen-length'), valueIn(seen, 'content-length')]).toEqual([true, true, String(body.length), undefined]);
  });

  it('is coded against nothing of another client, and of another server', async () => {
    await given(FORMER, '/', await carrierOf('other'));
    memory.of('laptop').keep('http://b.test', '/', FORMER);
    serve(FORMER);
    const seen = await carrier.ask({ origin, fields: [...MAY, 'firstscreen-dictionary', hashOf(FORMER)] });
    expect([valueIn(seen, 'firstscreen-coded'), plain(seen, []).equals(FORMER)]).toEqual(['zstd', true]);
  });

  it.each<[string, Record<string, string>, Buffer, string | undefined]>([
    ['no digest of the bytes that its server has coded', { 'content-encoding': 'gzip' }, gzipSync(FORMER), undefined],
    ['that of bytes that its server has not', {}, FORMER, 'sha-256=:x:'],
  ])('has %s', async (_, fields, sent, digest) => {
    serve(sent, { ...fields, 'repr-digest': 'sha-256=:x:', 'unencoded-digest': 'sha-256=:y:' });
    const seen = await carrier.ask({ origin, fields: MAY });
    expect([valueIn(seen, 'repr-digest'), valueIn(seen, 'unencoded-digest'), plain(seen, []).equals(FORMER)]).toEqual([digest, 'sha-256=:y:', true]);
  });

  it('is kept without being coded where the link is fast', async () => {
    serve(FORMER);
    const seen = await carrier.ask({ origin, fields: ['firstscreen-encode', 'keep'] });
    expect([seen.body.equals(FORMER), memory.of('laptop').latest(origin, '/')]).toEqual([true, hashOf(FORMER)]);
  });

  it('that may have no end comes as it is while half of the room is taken, and a page does not', async () => {
    encoders = new Room(2);
    const via = await carrierOf('tablet');
    const begun: ServerResponse[] = [];
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write(FORMER);
      begun.push(response);
    };
    const codings = ['empty', 'empty', 'document'].map(async (destination, place) => {
      await expect.poll(() => begun.length).toBe(place);
      return valueIn(await via.ask({ origin, fields: [...MAY, 'sec-fetch-dest', destination] }), 'firstscreen-coded');
    });
    await expect.poll(() => begun.length).toBe(3);
    for (const response of begun) response.end();
    expect(await Promise.all(codings)).toEqual(['zstd', undefined, 'zstd']);
  });

  it('is not kept while as much is gathered of others as of one client may be, and again when that is whole', async () => {
    const via = await carrierOf('tablet', FORMER.length + 1_000);
    const keep = ['firstscreen-encode', 'keep'];
    const own = memory.of('tablet');
    const more = Promise.withResolvers();
    answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(FORMER);
      await more.promise;
      response.end();
    };
    const first = via.stream({ origin, path: '/first', fields: keep });
    let bytes = 0;
    first.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await expect.poll(() => bytes).toBe(FORMER.length);
    serve(FORMER);
    expect((await via.ask({ origin, path: '/second', fields: keep })).body.equals(FORMER)).toBe(true);
    more.resolve(null);
    await once(first, 'close');
    await via.ask({ origin, path: '/third', fields: keep });
    expect(['/first', '/second', '/third'].map((path) => own.latest(origin, path) !== null)).toEqual([true, false, true]);
  });

  it.each([['zstd', MAY], ['brotli', MAY_BROTLI]])('goes on as it comes, in %s', async (_, fields) => {
    const more = Promise.withResolvers();
    answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('the beginning, '.repeat(40));
      await more.promise;
      response.end('the end');
    };
    const stream = carrier.stream({ origin, fields });
    await once(stream, 'data');
    more.resolve(null);
    await once(stream.resume(), 'end');
  });

  it('goes on as it comes, also where the last of that means nothing by itself', async () => {
    const more = Promise.withResolvers();
    const begun = gzipSync('the beginning, '.repeat(40), { finishFlush: constants.Z_SYNC_FLUSH });
    answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
      // the mark that the server has written all that it has (RFC 1951, section 3.2.4, an empty block)
      response.write(begun.subarray(0, -4), () => response.write(begun.subarray(-4)));
      await more.promise;
      response.destroy();
    };
    const stream = carrier.stream({ origin, fields: MAY_BROTLI });
    await once(stream, 'data');
    more.resolve(null);
  });

  it.each([['zstd', MAY, zstdDecompressSync], ['brotli', MAY_BROTLI, brotliDecompressSync]])('passes whole through a reader that is slow, however large, in %s', async (_, fields, decode) => {
    const body = Buffer.from(randomBytes(1_500_000).toString('hex'));
    serve(gzipSync(body), { 'content-encoding': 'gzip' });
    const stream = carrier.stream({ origin, fields });
    const pieces: Buffer[] = [];
    for await (const piece of stream) {
      pieces.push(piece as Buffer);
      if (pieces.length % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(decode(Buffer.concat(pieces)).equals(body)).toBe(true);
  });

  it('that begins as a dictionary of zstd is none for what comes next', async () => {
    const body = Buffer.concat([Buffer.from([0x37, 0xa4, 0x30, 0xec]), FORMER]);
    serve(body);
    for (const _ of [1, 2]) {
      const seen = await carrier.ask({ origin, fields: [...MAY, 'firstscreen-dictionary', hashOf(body)] });
      expect([seen.end, plain(seen, [body]).equals(body)]).toEqual(['whole', true]);
    }
  });

  it('that is to be forgotten is', async () => {
    serve(FORMER, { 'cache-control': 'private, no-store' });
    const seen = await carrier.ask({ origin, fields: MAY });
    expect([plain(seen, []).equals(FORMER), memory.of('laptop').latest(origin, '/')]).toEqual([true, null]);
  });

  it.each<[string, Record<string, string | number>, string[]]>([
    ['is a part', { 'content-type': 'text/html' }, [...MAY, 'range', 'bytes=0-']],
    ['may not be changed', { 'content-type': 'text/html', 'cache-control': 'no-transform' }, MAY],
    ['is compressed already', { 'content-type': 'font/woff2' }, MAY],
    ['has no end', { 'content-type': 'text/event-stream' }, MAY],
    ['is for this user alone, another site asks, and its server does not compress it', { 'content-type': 'text/html' }, [...MAY, ...OF_ANOTHER_SITE, 'cookie', 'a=1']],
    ['is tiny', { 'content-type': 'text/html', 'content-length': 40 }, MAY],
    ['was not asked for so', { 'content-type': 'text/html' }, []],
  ])('comes byte by byte where it %s', async (_, fields, may) => {
    const body = fields['content-length'] === undefined ? FORMER : FORMER.subarray(0, 40);
    serve(body, { ...fields, 'firstscreen-coded': 'zstd' });
    const seen = await carrier.ask({ origin, fields: may });
    expect([seen.end, seen.body.equals(body), seen.raw.some((name) => name.startsWith('firstscreen'))]).toEqual(['whole', true, false]);
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['its server compresses it', { 'content-encoding': 'gzip' }, ['cookie', 'a=1']],
    ['it is for everybody', {}, []],
    ['it is a page', {}, ['cookie', 'a=1', 'sec-fetch-dest', 'document']],
  ])('is coded though another site asks where %s', async (_, fields, more) => {
    serve('content-encoding' in fields ? gzipSync(FORMER) : FORMER, fields);
    const seen = await carrier.ask({ origin, fields: [...MAY, ...OF_ANOTHER_SITE, ...more] });
    expect([valueIn(seen, 'firstscreen-coded'), plain(seen, []).equals(FORMER)]).toEqual(['zstd', true]);
  });

  it.each([['broken', Buffer.from('no gzip at all, '.repeat(50))], ['cut off', gzipSync(FORMER).subarray(0, 4_000)]])('never looks whole where its coding is %s', async (_, body) => {
    serve(body, { 'content-encoding': 'gzip' });
    expect((await carrier.ask({ origin, fields: MAY })).end).not.toBe('whole');
  });
});

it('a bomb is broken off, and what is large by itself is not', async () => {
  for (const [body, isWhole] of [[Buffer.alloc(80 * 1024 * 1024), false], [randomBytes(100_000), true]] as const) {
    serve(gzipSync(body), { 'content-encoding': 'gzip' });
    expect((await carrier.ask({ origin, fields: MAY })).end === 'whole').toBe(isWhole);
  }
});

it('memory of a client goes when its helper has another name for it, and no other client\'s', () => {
  const bodies = Buffer.from(FORMER);
  const [own, other] = ['laptop', 'phone'].map((client) => memory.of(client)) as [ClientBodies, ClientBodies];
  for (const each of [own, other]) {
    each.keptUnder('first');
    each.keep('http://a.test', '/', bodies);
    each.keptUnder('first');
  }
  own.keptUnder('second');
  expect([own, other].map((each) => [each.find('http://a.test', hashOf(bodies)), each.latest('http://a.test', '/')])).toEqual([[null, null], [bodies, hashOf(bodies)]]);
});

it('a client of whom nothing is kept may say as many names as it likes, and holds nobody up', () => {
  const own = memory.of('laptop');
  for (let n = 0; n < 20_000; n += 1) own.keep('http://a.test', `/${n}`, Buffer.from(String(n)));
  const beganMs = performance.now();
  for (let n = 0; n < 4_000; n += 1) memory.of('phone').keptUnder(String(n));
  expect(performance.now() - beganMs).toBeLessThan(2_000);
  expect(own.latest('http://a.test', '/0')).not.toBe(null);
});

it('memory has its bounds', () => {
  const bounded = new BodyMemory(3_000);
  const bodies = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(1_000, letter));
  for (const body of bodies) bounded.of('laptop').keep('http://a.test', '/', body);
  expect(bodies.map((body) => bounded.of('laptop').find('http://a.test', hashOf(body)) !== null)).toEqual([false, false, true, true]);
  expect(bounded.of('laptop').latest('http://a.test', '/')).toBe(hashOf(bodies[3] ?? Buffer.alloc(0)));
  const long = Array.from({ length: 300 }, (_, n) => `/${n}${'x'.repeat(60_000)}`);
  for (const path of long) bounded.of('laptop').keep('http://a.test', path, bodies[0] ?? Buffer.alloc(0));
  expect([long[0], long.at(-1)].map((path = '') => bounded.of('laptop').latest('http://a.test', path) !== null)).toEqual([false, true]);
});
