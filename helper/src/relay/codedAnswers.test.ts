import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally } from '../../../shared/src/node/testing/localServer.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { valueOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { CODED_FIELD, DICTIONARY_FIELD, ENCODE_FIELD, LENGTH_FIELD, type Encoding } from '../../../shared/src/relay/wire.ts';
import { plainCarrier, type PlainCarrier } from '../testing/plainCarrier.ts';
import { NOT_TAKEN } from '../upstream/connection.ts';
import { BodyStore, type FormerBodies } from './bodyStore.ts';
import { RelayedConnection } from './relayedConnection.ts';

/** Longer than what is sent takes over loopback. */
const LATER_MS = 40;
const RATE = 1_623_456;
/** More than what takes so little may come to. */
const BOMB_BYTES = 80 * 1024 * 1024;
const ORIGIN = 'https://a.test';
const PAGE = `${ORIGIN}/`;
const REQUEST = ['host', 'a.test', 'sec-fetch-site', 'none', 'upgrade-insecure-requests', '1', 'accept', 'text/html'];
const FORMER = Buffer.from(randomBytes(3_000).toString('base64'));
const OTHER = Buffer.from(randomBytes(3_000).toString('base64'));
const FROM_FORMER = `zstd ${hashOf(FORMER)}`;

let relay: Http2Server;
let carrier: PlainCarrier;
let sessions: ServerHttp2Session[];
let onRequest: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;
let refusals: string[];
let encodings: readonly Encoding[];
let directory: string;
let store: BodyStore;
let bodies: FormerBodies;

beforeEach(async () => {
  [sessions, refusals, encodings] = [[], [], ['images', 'br', 'zstd', 'keep']];
  relay = createServer();
  relay.on('session', (each) => sessions.push(each));
  relay.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    onRequest(stream, headers);
  });
  await listenLocally(relay);
  carrier = await plainCarrier(relay);
  directory = temporaryDirectory();
  store = new BodyStore(join(directory, 'bodies'));
  const at = (url: string) => ({ url, partition: ORIGIN });
  bodies = { find: (url) => store.find(at(url), true), have: (page) => store.objects(at(page)), received: (url, _request, body) => store.received(at(url), body), name: () => store.name() };
  bodies.received(PAGE, REQUEST, FORMER);
  await keep(PAGE);
});
afterEach(() => {
  carrier.session.destroy();
  for (const each of sessions) each.destroy();
  relay.close();
});

interface Came {
  readonly fields: readonly string[];
  readonly body: Buffer;
  /** Null where it is whole. */
  readonly error: Error | null;
}

function ask(path = '/'): Promise<Came> {
  const connection = new RelayedConnection(1, ORIGIN, carrier, () => undefined, { isUsable: () => true, refused: (code) => refusals.push(code), answered: () => undefined, coding: () => ({ encodings, rateBitsPerSecond: RATE }), bodies, servers: null });
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let fields: readonly string[] = [];
    const over = (error: Error | null): void => resolve({ fields, body: Buffer.concat(pieces), error });
    connection.send({ origin: ORIGIN, path, method: 'GET', headers: REQUEST, body: null }, {
      onResponseStart: (controller) => (fields = [...(controller.rawHeaders as string[])]),
      onResponseData: (_, chunk) => pieces.push(chunk),
      onResponseEnd: () => over(null),
      onResponseError: (_, error) => over(error),
    }, () => undefined, { level: 0, pushes: null });
  });
}

const keep = (url: string): Promise<void> => store.keep([{ url, partition: ORIGIN }]);

/** As a relay codes it against another body, or none. */
function coded(body: Uint8Array, dictionary: Buffer | null): Buffer {
  return zstdCompressSync(body, { params: { [constants.ZSTD_c_checksumFlag]: 1 }, ...(dictionary !== null && { dictionary }) });
}

const answerWith = (body: Buffer, fields: Record<string, string>) => (stream: ServerHttp2Stream): void => {
  stream.respond({ ':status': 200, 'content-type': 'text/html', ...fields });
  stream.end(body);
};

describe('a body that the relay has coded', () => {
  it('is for the browser what it was, against a former one or none', async () => {
    const part = fc.oneof(fc.uint8Array({ maxLength: 3_000 }), fc.tuple(fc.nat(FORMER.length), fc.nat(2_000)).map(([from, length]) => FORMER.subarray(from, from + length)));
    await fc.assert(fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.boolean(), async (parts, hasDictionary) => {
      const body = Buffer.concat(parts);
      onRequest = answerWith(coded(body, hasDictionary ? FORMER : null), { [CODED_FIELD]: hasDictionary ? `zstd ${hashOf(FORMER)}` : 'zstd', [LENGTH_FIELD]: String(body.length) });
      const came = await ask();
      expect([came.error, came.body.equals(body), valueOf(came.fields, 'content-length'), came.fields.some((name) => name.startsWith('firstscreen'))]).toEqual([null, true, String(body.length), false]);
    }), { numRuns: 40 });
  });

  it.each([['zstd', (body: Buffer) => coded(body, null)], ['br', brotliCompressSync]])('in %s is whole, also where its stream ends later than its frame', async (coding, encode) => {
    onRequest = (stream) => {
      stream.respond({ ':status': 200, [CODED_FIELD]: coding });
      stream.write(encode(Buffer.alloc(200_000, 'text')), () => setTimeout(() => stream.end(), LATER_MS));
    };
    const { error, body } = await ask();
    expect([error, body.length]).toEqual([null, 200_000]);
  });

  it('is asked for with what this end has of the page, and of pages like it', async () => {
    const asked: unknown[] = [];
    onRequest = (stream, headers) => {
      asked.push([headers[ENCODE_FIELD], headers[DICTIONARY_FIELD]]);
      stream.respond({ ':status': 200 });
      stream.end();
    };
    await ask();
    await ask('/other');
    await ask('/elsewhere/other');
    encodings = [];
    await ask();
    expect(asked).toEqual([['images, br, zstd, keep', hashOf(FORMER)], ['images, br, zstd, keep', hashOf(FORMER)], ['images, br, zstd, keep', undefined], [undefined, undefined]]);
  });

  it('is the former one of the next, in whatever coding it has come', async () => {
    const body = Buffer.from(randomBytes(500).toString('hex'));
    for (const answer of [answerWith(gzipSync(body), { 'content-encoding': 'gzip' }), answerWith(coded(body, null), { [CODED_FIELD]: 'zstd' }), answerWith(brotliCompressSync(body), { [CODED_FIELD]: 'br' }), answerWith(body, {})]) {
      onRequest = answer;
      await ask('/next/page');
      await expect.poll(async () => {
        await keep(`${ORIGIN}/next/page`);
        return bodies.find(`${ORIGIN}/next/page`, REQUEST).map(({ hash }) => hash);
      }).toEqual([hashOf(body)]);
      rmSync(join(directory, 'bodies'), { recursive: true });
    }
  });
});

describe('a relay that lies', () => {
  it.each([
    ['names a body that this end has not offered', `zstd ${hashOf(OTHER)}`],
    ['names another coding', 'gzip'],
    ['names a body where there are no dictionaries', `br ${hashOf(FORMER)}`],
    ['names no hash', 'zstd abc'],
  ])('and %s: nothing of it is delivered, and the request is made without it', async (_, coding) => {
    onRequest = answerWith(coded(FORMER, OTHER), { [CODED_FIELD]: coding });
    const came = await ask();
    expect([came.error, came.fields, came.body.length, refusals]).toEqual([NOT_TAKEN, [], 0, ['E_RELAY_UNSUPPORTED']]);
  });

  it.each([['zstd', () => coded(FORMER, null)], ['br', () => brotliCompressSync(FORMER)]])('and codes what it was not asked to code in %s: the same', async (coding, body) => {
    encodings = ['images', 'keep'];
    onRequest = answerWith(body(), { [CODED_FIELD]: coding });
    expect([(await ask()).error, refusals]).toEqual([NOT_TAKEN, ['E_RELAY_UNSUPPORTED']]);
  });

  it.each([
    ['another body than it names', FROM_FORMER, () => coded(OTHER, OTHER)],
    ['half of it', FROM_FORMER, () => coded(randomBytes(50_000), FORMER).subarray(0, 20_000)],
    ['half of it', 'br', () => brotliCompressSync(randomBytes(50_000)).subarray(0, 20_000)],
    ['no zstd at all', FROM_FORMER, () => randomBytes(5_000)],
    ['no brotli at all', 'br', () => Buffer.alloc(5_000, 0xff)],
    ['nothing', FROM_FORMER, () => Buffer.alloc(0)],
    ['nothing', 'br', () => Buffer.alloc(0)],
  ])('by %s in %s: never looks whole, and is not kept', async (_, coding, body) => {
    onRequest = answerWith(body(), { [CODED_FIELD]: coding });
    expect((await ask('/next')).error).not.toBeNull();
    await keep(`${ORIGIN}/next`);
    // that of a page like it
    expect(bodies.find(`${ORIGIN}/next`, REQUEST).map(({ hash }) => hash)).toEqual([hashOf(FORMER)]);
  });

  it('about its length: never looks whole', async () => {
    onRequest = answerWith(coded(FORMER, null), { [CODED_FIELD]: 'zstd', [LENGTH_FIELD]: String(FORMER.length + 1) });
    expect((await ask()).error).not.toBeNull();
  });

  it('about its length: no more is passed on than was said', async () => {
    const body = Buffer.alloc(1_000_000);
    onRequest = answerWith(coded(body, null), { [CODED_FIELD]: 'zstd', [LENGTH_FIELD]: '100000' });
    const came = await ask();
    expect(came.error).not.toBeNull();
    expect(came.body.length).toBeLessThanOrEqual(100_000);
  });

  it.each<[string, Buffer, Record<string, string>]>([
    ['of a body in no coding, beside HTTP/2', FORMER, { [LENGTH_FIELD]: '5' }],
    ['of the coded bytes alone', brotliCompressSync(FORMER), { [CODED_FIELD]: 'br', 'content-length': String(brotliCompressSync(FORMER).length) }],
  ])('about the length %s: a browser would take what is more for its next answer', async (_, bytes, fields) => {
    onRequest = answerWith(bytes, fields);
    const came = await ask();
    expect([came.error, came.body.equals(FORMER), valueOf(came.fields, 'content-length')]).toEqual([null, true, null]);
  });

  it.each([
    ['zstd', zstdCompressSync(Buffer.alloc(BOMB_BYTES))],
    ['br', brotliCompressSync(Buffer.alloc(BOMB_BYTES), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])('by a bomb in %s: it is broken off', async (coding, bomb) => {
    onRequest = answerWith(bomb, { [CODED_FIELD]: coding });
    const { error, body } = await ask();
    expect(error).not.toBeNull();
    expect(body.length).toBeLessThan(BOMB_BYTES);
  });

  it('by what zstd takes for a dictionary, and no dictionary is: nothing of it is delivered, and the request is made without it', async () => {
    const kept = Buffer.concat([Buffer.from([0x37, 0xa4, 0x30, 0xec]), FORMER]);
    // as an earlier release has kept it
    bodies.received(PAGE, REQUEST, kept);
    await keep(PAGE);
    onRequest = answerWith(coded(FORMER, null), { [CODED_FIELD]: `zstd ${hashOf(kept)}` });
    const came = await ask();
    expect([came.error, came.fields, refusals]).toEqual([NOT_TAKEN, [], ['E_RELAY_UNSUPPORTED']]);
  });

  it('in what it pushes: that is asked for, and the relay stays in use', async () => {
    const isPromised = Promise.withResolvers();
    onRequest = (stream, headers) => {
      if (headers[':path'] === '/') stream.pushStream({ ':method': 'GET', ':scheme': 'https', ':authority': 'a.test', ':path': '/pushed', 'sec-fetch-site': 'none', 'upgrade-insecure-requests': '1', accept: 'text/html' }, (_error, push) => {
        answerWith(coded(FORMER, OTHER), { [CODED_FIELD]: `zstd ${hashOf(OTHER)}` })(push);
        isPromised.resolve(null);
      });
      answerWith(Buffer.from('the page'), {})(stream);
    };
    await ask();
    await isPromised.promise;
    const came = await ask('/pushed');
    expect([came.error, refusals, carrier.pushed.count.taken]).toEqual([NOT_TAKEN, [], 1]);
  });
});
