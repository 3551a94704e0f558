import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectLocally, endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import type { LogEntry } from '../../../shared/src/log.ts';
import { TestStores, missingStores } from '../../../shared/src/node/testing/testStores.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { AnswerCoding } from '../encoding/answerCoding.ts';
import { BodyMemory } from '../encoding/bodyMemory.ts';
import type { EncodedImage } from '../encoding/encodeImage.ts';
import { ImageCoders } from '../encoding/imageCoders.ts';
import { ClientRequests } from '../requests/clientRequests.ts';
import { ServerAgent } from '../requests/serverAgent.ts';
import { TestCarrier, type Seen } from '../testing/testCarrier.ts';
import { openPictureStore } from './openPictureStore.ts';
import type { PictureStore } from './pictureStore.ts';
import { SharedPictures, type StoreLimits } from './sharedPictures.ts';
import { StoreKeys } from './storeKeys.ts';

const CODER = [process.execPath, fileURLToPath(new URL('../testing/coderMain.ts', import.meta.url))];
/** One that leaves every picture as it is: what is smaller all the same is of the store. */
const IDLE_CODER = [process.execPath, '--eval', "process.send({ ready: true }); process.on('message', () => process.send({ encoded: null }))"];
const SHOWN = ['accept', 'image/avif,image/webp,*/*', 'sec-fetch-dest', 'image', 'sec-fetch-mode', 'no-cors', 'firstscreen-encode', 'images'];
const PAGE = ['referer', 'https://page.test/'];
const PUBLIC = { 'cache-control': 'public, max-age=60' };
const SIDE = 96;
/** So that only what is meant to is late. */
const PATIENT: StoreLimits = { hintMs: 10_000, pictureMs: 10_000, putMs: 10_000 };
const missing = missingStores();
const keyPem = (): string => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const KEY = keyPem();

let stores: TestStores;
let [working, idle]: ImageCoders[] = [];
let server: Server;
let origin: string;
let picture: Buffer;
let fields: Record<string, string>;
let log: LogEntry[];
const opened: (TestCarrier | SharedPictures)[] = [];

beforeAll(async () => {
  if (missing !== null) return;
  [stores, working, idle] = await Promise.all([TestStores.start(), coding(CODER), coding(IDLE_CODER)]);
});
afterAll(async () => {
  working?.close();
  idle?.close();
  if (missing === null) await stores.close();
});
beforeEach(async (context) => {
  if (missing !== null) context.skip(missing);
  [log, fields] = [[], PUBLIC];
  // another one for each test, so that none finds what another has left
  const samples = Buffer.alloc(SIDE * SIDE * 3);
  const seed = Math.random();
  for (let i = 0; i < samples.length; i += 1) samples[i] = ((i % SIDE) * 2 * seed + i / SIDE) & 0xff;
  picture = await sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 3 } }).png({ compressionLevel: 1 }).toBuffer();
  server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'image/png', 'content-length': picture.length, ...fields }).end(picture));
  origin = `http://img.test:${portOf(await listenLocally(server))}`;
});
afterEach(async () => {
  if (missing !== null) return;
  for (const each of opened.splice(0)) await each.close();
  await endServer(server);
});

async function coding(command: readonly string[]): Promise<ImageCoders> {
  const made = new ImageCoders(command, 1, () => undefined);
  await vi.waitUntil(() => made.isThere, { timeout: 20_000 });
  return made;
}

/** A relay, with a user of its own. */
async function relayWith(coders: ImageCoders | undefined, store: PictureStore, { key = KEY, limits }: { readonly key?: string; readonly limits?: StoreLimits } = { limits: PATIENT }): Promise<TestCarrier> {
  // what it still tells later is none of the next test's
  const entries = log;
  const shared = new SharedPictures(store, { keys: new StoreKeys(key), log: (entry) => entries.push(entry), ...(limits && { limits }) });
  const answers = new AnswerCoding(coders ?? null, new BodyMemory().of('a user'), shared.encoderFor.bind(shared));
  // the link has something else to carry, so that no test is about how fast this machine is
  const carrier = await TestCarrier.start(new ClientRequests(new ServerAgent((_host, port) => connectLocally(port), new TlsStarter(null)), answers), () => true);
  opened.push(carrier, shared);
  return carrier;
}

const typeOf = ({ raw }: Seen): string | undefined => raw[raw.indexOf('content-type') + 1];
const ask = (relay: TestCarrier, asked = PAGE): Promise<Seen> => relay.ask({ origin, fields: [...SHOWN, ...asked] });

/** What a store is told, on its way to a real one; and what is changed of what it says. */
async function watched(change: (stored: Uint8Array) => Uint8Array = (stored) => stored) {
  const real = openPictureStore(stores.settings);
  const puts: Promise<void>[] = [];
  const asked: string[] = [];
  const store: PictureStore = {
    has: (name, signal) => {
      asked.push(name);
      return real.has(name, signal);
    },
    get: async (name, maxBytes, signal) => {
      const stored = await real.get(name, maxBytes, signal);
      return stored && change(stored);
    },
    put: (name, bytes, signal) => {
      const put = real.put(name, bytes, signal);
      puts.push(put);
      return put;
    },
    close: () => real.close(),
  };
  // so that none fails as it is not connected yet
  await vi.waitFor(() => real.has('nothing', AbortSignal.timeout(1_000)), { timeout: 10_000 });
  return { store, puts, asked };
}

/** Has one relay bring the picture into the store. @returns what its user was given */
async function brought(asked = PAGE): Promise<{ readonly seen: Seen; readonly puts: number }> {
  const { store, puts } = await watched();
  const seen = await ask(await relayWith(working, store), asked);
  await Promise.all(puts);
  return { seen, puts: puts.length };
}

describe('a picture that one relay has made smaller', () => {
  it('is not made smaller again by another one, for another user', async () => {
    const { seen } = await brought();
    const other = await ask(await relayWith(idle, (await watched()).store));
    expect([typeOf(seen), typeOf(other), other.body.equals(seen.body)]).toEqual(['image/webp', 'image/webp', true]);
  });

  it('is given only to who takes it so', async () => {
    await brought();
    const other = await (await relayWith(idle, (await watched()).store)).ask({ origin, fields: ['accept', 'image/avif,*/*', ...SHOWN.slice(2), ...PAGE] });
    expect([typeOf(other), other.body.equals(picture)]).toEqual(['image/png', true]);
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    ['is private', { 'cache-control': 'private, max-age=60' }, PAGE],
    ['was asked for with cookies', PUBLIC, [...PAGE, 'cookie', 'a=b']],
    ['is of no page', PUBLIC, []],
  ])('never comes into the store where it %s', async (_, answered, asked) => {
    fields = answered;
    const { seen, puts } = await brought(asked as string[]);
    const other = await watched();
    const again = await ask(await relayWith(idle, other.store), asked as string[]);
    expect([typeOf(seen), puts, other.asked, again.body.equals(picture)]).toEqual(['image/webp', 0, [], true]);
  });

  it('has no effect on pages of another origin, for who sends cookies, and for relays of another key', async () => {
    await brought();
    const { store } = await watched();
    const relay = await relayWith(idle, store);
    const others = [await ask(relay, ['referer', 'https://other.test/']), await ask(relay, [...PAGE, 'cookie', 'a=b']), await ask(await relayWith(idle, (await watched()).store, { key: keyPem(), limits: PATIENT }))];
    expect(others.map(({ body }) => body.equals(picture))).toEqual([true, true, true]);
    // it is there all the same
    expect(typeOf(await ask(relay))).toBe('image/webp');
  });

  it('is refused, and told of, where the store has another one in its place', async () => {
    await brought();
    const { store } = await watched((stored) => stored.toReversed());
    const other = await ask(await relayWith(idle, store));
    expect([other.end, other.body.equals(picture), log.map(({ message }) => message)]).toEqual(['whole', true, ['a picture of the store is refused']]);
  });
});

describe('pictures are as without a store', () => {
  /** One that is held for longer than a second, whoever is waited for, goes on as it is. */
  const whole = async (relay: TestCarrier): Promise<boolean> => {
    const seen = await ask(relay);
    return seen.end === 'whole' && typeOf(seen) === 'image/webp';
  };

  /** Until it is left alone. */
  const thrice = async (relay: TestCarrier): Promise<boolean[]> => [await whole(relay), await whole(relay), await whole(relay)];
  const told = [expect.objectContaining({ level: 'warn', message: 'the store is not there', fields: expect.objectContaining({ code: 'E_RELAY_STORE' }) as unknown })];

  it('where nobody is at its places', async () => {
    const { s3 } = stores.settings;
    const relay = await relayWith(working, openPictureStore({ redis: 'redis://127.0.0.1:1', s3: { ...s3, endpoint: 'http://127.0.0.1:1' } }), {});
    expect([await thrice(relay), log]).toEqual([[true, true, true], told]);
  });

  it.each(['redis', 's3'] as const)('where it says nothing (%s), and it is left alone then', async (name) => {
    await brought();
    const { store, asked } = await watched();
    const relay = await relayWith(working, store, {});
    stores.freeze(name);
    try {
      expect([await thrice(relay), await whole(relay), asked.length, log]).toEqual([[true, true, true], true, 3, told]);
    } finally {
      stores.thaw(name);
    }
  });

  it('where it does not let the relay in', async () => {
    const { s3, redis } = stores.settings;
    await brought();
    const real = openPictureStore({ redis, s3: { ...s3, secretAccessKey: 'another' } });
    await vi.waitFor(() => real.has('nothing', AbortSignal.timeout(1_000)), { timeout: 10_000 });
    expect([await thrice(await relayWith(working, real)), log]).toEqual([[true, true, true], told]);
  });

  it('whatever a picture has of time left', async () => {
    const shared = new SharedPictures((await watched()).store, { keys: new StoreKeys(KEY), log: () => undefined, limits: PATIENT });
    opened.push(shared);
    const body = Buffer.from('smaller');
    const encoded: EncodedImage = { type: 'image/webp', body };
    const encode = shared.encoderFor(() => Promise.resolve(encoded), { method: 'GET', origin, fields: PAGE }, 200, ['cache-control', 'max-age=60']);
    for (const limitMs of [-1, 0, 0.4, 105.7, 3_300_000.5]) {
      expect((await encode({ bytes: picture, kind: 'png', types: ['image/webp'], limitMs }, () => 0, new AbortController().signal))?.body).toEqual(body);
    }
  });

  it('where the hint is wrong: nothing is there', async () => {
    const { store } = await watched();
    const relay = await relayWith(working, { ...store, has: () => Promise.resolve(true) });
    expect([await whole(relay), log]).toEqual([true, []]);
  });
});
