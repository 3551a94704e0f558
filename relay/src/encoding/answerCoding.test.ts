import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectLocally, endServer, listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { hashOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ClientRequests } from '../requests/clientRequests.ts';
import { ServerAgent } from '../requests/serverAgent.ts';
import { TestCarrier, type Seen } from '../testing/testCarrier.ts';
import { AnswerCoding } from './answerCoding.ts';
import { BodyMemory } from './bodyMemory.ts';
import { ImageCoders } from './imageCoders.ts';

const CODER = [process.execPath, fileURLToPath(new URL('../testing/coderMain.ts', import.meta.url))];
const SHOWN = ['accept', 'image/avif,image/webp,*/*', 'sec-fetch-dest', 'image', 'sec-fetch-mode', 'no-cors'];
const MAY = ['firstscreen-encode', 'images, what-is-new'];
const SIDE = 96;
/** What of pictures may be kept, and the samples of one that fills most of that: more than a stream's window, with which it would leave though nobody reads it. */
const [ROOM_BYTES, NOISE_SIDES] = [160_000, [500, 300]] as const;

let coders: ImageCoders;
let memory: BodyMemory;
let carrier: TestCarrier;
let server: Server;
let origin: string;
/** How the server answers. */
let answer: (request: IncomingMessage, response: ServerResponse) => unknown;
let asked: IncomingMessage[];
/** Whether the link has something else to carry. */
let isBusy: boolean;

beforeAll(async () => {
  coders = await coding(CODER);
});
afterAll(() => coders.close());
beforeEach(async () => {
  // no test is about how fast this machine is: nobody looks how long a picture is waited for
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [asked, isBusy] = [[], true];
  memory = new BodyMemory();
  server = createServer((request, response) => {
    asked.push(request);
    void answer(request, response);
  });
  origin = `http://a.test:${portOf(await listenLocally(server))}`;
  carrier = await carrierWith(coders);
});
afterEach(async () => {
  vi.useRealTimers();
  await carrier.close();
  await endServer(server);
});

async function coding(command: readonly string[]): Promise<ImageCoders> {
  const made = new ImageCoders(command, 1, () => undefined);
  for (let ms = 0; !made.isThere && ms < 5_000; ms += 20) await sleep(20);
  return made;
}

async function carrierWith(made: ImageCoders, pictureBytes?: number): Promise<TestCarrier> {
  return TestCarrier.start(new ClientRequests(new ServerAgent((_host, port) => connectLocally(port), new TlsStarter(null)), new AnswerCoding(made, memory.of('laptop'), undefined, undefined, pictureBytes)), () => isBusy);
}

/** A picture that is worth it, with colours of all kinds, and a part that shows through. */
function picture(alpha = true): Sharp {
  const samples = Buffer.alloc(SIDE * SIDE * 4);
  for (let i = 0; i < SIDE * SIDE; i += 1) samples.set([(i % SIDE) * 2, (i / SIDE) * 2, Math.imul(i, 2_654_435_761) >>> 28, alpha ? (i >> 5) & 0xff : 255], i * 4);
  return sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 4 } });
}

const samplesOf = (body: Buffer): Promise<Buffer> => sharp(body).ensureAlpha().raw().toBuffer();
const serve = (type: string, body: Buffer, fields: Record<string, string> = {}): void => {
  answer = (_request, response) => response.writeHead(200, { 'content-type': type, 'content-length': body.length, ...fields }).end(body);
};
const show = (fields: readonly string[] = [], via = carrier): Promise<Seen> => via.ask({ origin, fields: [...SHOWN, ...MAY, ...fields] });
const valueIn = ({ raw }: Seen, name: string): string | undefined => raw[raw.indexOf(name) + 1];

describe('a picture that an element shows', () => {
  it('comes as WebP with each sample as it was, transparent ones too, where it came without loss', async () => {
    const png = await picture().png({ compressionLevel: 1 }).toBuffer();
    serve('image/png', png, { etag: '"v1"' });
    const seen = await show();
    expect([seen.end, valueIn(seen, 'content-type'), valueIn(seen, 'content-length'), valueIn(seen, 'etag')]).toEqual(['whole', 'image/webp', String(seen.body.length), 'W/"v1.firstscreen-s-webp"']);
    expect(seen.body.length).toBeLessThan(png.length * 0.9);
    expect((await samplesOf(seen.body)).equals(await samplesOf(png))).toBe(true);
    // nothing of the carrier is a server's business
    expect(Object.keys(asked[0]?.headers ?? {}).filter((name) => name.startsWith('firstscreen'))).toEqual([]);
  });

  it('comes as AVIF of its size where it was a JPEG', async () => {
    const jpeg = await picture(false).jpeg({ quality: 95 }).toBuffer();
    serve('image/jpeg', jpeg);
    const seen = await show();
    const { format, width, height } = await sharp(seen.body).metadata();
    expect([seen.end, valueIn(seen, 'content-type'), format, width, height]).toEqual(['whole', 'image/avif', 'heif', SIDE, SIDE]);
    expect(seen.body.length).toBeLessThan(jpeg.length * 0.9);
  });

  it.each([
    ['to a browser that names neither', ['accept', '*/*', ...SHOWN.slice(2)], MAY],
    ['where the helper has not asked for it', SHOWN, []],
    ['where a script reads it', ['accept', SHOWN[1] ?? '', 'sec-fetch-dest', 'empty', 'sec-fetch-mode', 'cors'], MAY],
    ['to who wants it as it is', [...SHOWN, 'cache-control', 'no-transform'], MAY],
    ['in part', [...SHOWN, 'range', 'bytes=0-'], MAY],
  ])('comes byte by byte %s', async (_, fields, may) => {
    const png = await picture().png({ compressionLevel: 1 }).toBuffer();
    serve('image/png', png, { etag: '"v1"' });
    const seen = await carrier.ask({ origin, fields: [...fields, ...may] });
    expect([seen.end, seen.body.equals(png), valueIn(seen, 'etag')]).toEqual(['whole', true, '"v1"']);
  });

  it('stays as it is where it would not be the same: moving, turned, broken, no picture at all', async () => {
    const frames = await sharp(await Promise.all([0, 90].map((angle) => picture(false).rotate(angle).png().toBuffer())), { join: { animated: true } }).gif().toBuffer();
    const turned = await picture(false).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer();
    const whole = await picture(false).jpeg({ quality: 95 }).toBuffer();
    const bodies: [string, Buffer][] = [['image/gif', frames], ['image/jpeg', turned], ['image/jpeg', whole.subarray(0, whole.length / 2)], ['image/png', Buffer.alloc(2_000, 'text')]];
    for (const [type, body] of bodies) {
      serve(type, body);
      const seen = await show();
      expect([seen.end, seen.body.equals(body), valueIn(seen, 'content-type')]).toEqual(['whole', true, type]);
    }
  });

  it('is asked for anew in the words of its server', async () => {
    const tag = 'W/"v1.firstscreen-s-webp"';
    answer = (request, response) => (request.headers['if-none-match'] === '"v1"' ? response.writeHead(304, { etag: '"v1"' }).end() : response.end());
    const seen = await show(['if-none-match', tag]);
    expect([seen.raw[1], valueIn(seen, 'etag')]).toEqual(['304', tag]);
    // a script has to have the bytes of the server
    await carrier.ask({ origin, fields: [...MAY, 'sec-fetch-dest', 'empty', 'if-none-match', tag] });
    expect(asked[1]?.headers['if-none-match']).toBeUndefined();
  });

  it('is what it was where the helper has it, and against its variant where it has that', async () => {
    const png = await picture().png({ compressionLevel: 1 }).toBuffer();
    serve('image/png', png, { etag: '"v1"' });
    const codes = ['firstscreen-encode', 'images, zstd, keep'];
    const { body } = await show();
    for (const own of [png, body]) {
      memory.of('laptop').keep(origin, '/', own);
      const seen = await carrier.ask({ origin, fields: [...SHOWN, ...codes, 'firstscreen-dictionary', hashOf(own)] });
      expect([valueIn(seen, 'content-type'), seen.body.length < own.length / 2]).toEqual([own === png ? 'image/png' : 'image/webp', true]);
      expect(zstdDecompressSync(seen.body, { dictionary: own }).equals(own)).toBe(true);
    }
  });

  it('is encoded once, however late that was', async () => {
    const png = await picture().png({ compressionLevel: 1 }).toBuffer();
    serve('image/png', png);
    const codes = ['firstscreen-encode', 'images, zstd, keep'];
    const first = await carrier.ask({ origin, fields: [...SHOWN, ...codes] });
    const none = await carrierWith(new ImageCoders(['/nonexistent/program'], 1, () => undefined));
    const other = await none.ask({ origin, fields: [...SHOWN, ...codes] });
    await none.close();
    isBusy = false;
    const second = await carrier.ask({ origin, fields: [...SHOWN, ...codes] });
    expect([second.body.equals(first.body), valueIn(other, 'content-type')]).toEqual([true, 'image/png']);
  });

  it('that comes slowly goes on as it comes', async () => {
    const png = await picture().png({ compressionLevel: 1 }).toBuffer();
    const hasBegun = Promise.withResolvers<unknown>();
    answer = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.length });
      response.write(png.subarray(0, 1_000));
      await hasBegun.promise;
      response.end(png.subarray(1_000));
    };
    isBusy = false;
    vi.useRealTimers();
    const stream = carrier.stream({ origin, fields: [...SHOWN, ...MAY] }).once('data', hasBegun.resolve);
    expect(Buffer.concat((await stream.toArray()) as Buffer[]).equals(png)).toBe(true);
  });

  it('goes on as it comes while as much as one client may have is kept of others, until that has left', async () => {
    const via = await carrierWith(coders, ROOM_BYTES);
    const [width, height] = NOISE_SIDES;
    const noise = await sharp(randomBytes(width * height), { raw: { width, height, channels: 1 } }).png().toBuffer();
    serve('image/png', noise);
    const unread = via.stream({ origin, fields: [...SHOWN, ...MAY] });
    await once(unread, 'response');
    unread.pause();
    serve('image/png', await picture().png({ compressionLevel: 0 }).toBuffer());
    const typeOf = async (): Promise<string | undefined> => valueIn(await show([], via), 'content-type');
    expect(await typeOf()).toBe('image/png');
    unread.close(constants.NGHTTP2_CANCEL);
    await expect.poll(typeOf).toBe('image/webp');
    await via.close();
  });

  it('that its server cuts off never looks whole', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 5_000 });
      response.write(Buffer.alloc(1_000), () => response.destroy());
    };
    expect((await show()).end).not.toBe('whole');
  });

  it('goes on as it is when its coder dies, or never was', async () => {
    const png = await picture().png({ compressionLevel: 1 }).toBuffer();
    serve('image/png', png);
    const dying = await coding([process.execPath, '--eval', "process.send({ ready: true }); process.on('message', () => process.exit(1))"]);
    const lying = await coding([process.execPath, '--eval', "process.send({ ready: true }); process.on('message', () => process.send({ encoded: { type: 'text/html', body: Buffer.from('x') } }))"]);
    const missing = new ImageCoders(['/nonexistent/program'], 1, () => undefined);
    for (const made of [dying, lying, missing]) {
      const via = await carrierWith(made);
      const seen = await show([], via);
      expect([seen.end, seen.body.equals(png)]).toEqual(['whole', true]);
      await via.close();
      made.close();
    }
  });
});
