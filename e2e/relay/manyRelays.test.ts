import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { endServer, listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';
import { SERVER_HOST } from './helperOfTests.ts';
import { ManyRelays, missingForMany, received, type Received, type RelayName } from './manyRelays.ts';

const missing = missingForMany();
const PIECE = randomBytes(20_000);
const PIECES = 40;
const PIECE_MS = 25;
const WHOLE = Buffer.concat(Array.from({ length: PIECES }, () => PIECE));
/** What is asked for so lately that nothing of its answer has come when the relay goes. */
const LATE_MS = 3_000;
const SIDE = 96;
/** As a browser asks for what an element shows, of a server in clear. */
const SHOWN = { accept: 'image/avif,image/webp,*/*', referer: `http://${SERVER_HOST}/` };

let many: ManyRelays;
let servers: Server[];
/** Helpers go on with connections that they have, by whatever way: to each of these the first is opened while a relay is there. */
let [origin, other, third]: string[] = [];
let png: Buffer;
let asked: string[];

beforeAll(async () => {
  if (missing !== null) return;
  const samples = Buffer.from(Array.from({ length: SIDE * SIDE * 3 }, (_, n) => (n % SIDE) + n / SIDE));
  png = await sharp(samples, { raw: { width: SIDE, height: SIDE, channels: 3 } }).png({ compressionLevel: 1 }).toBuffer();
  servers = await Promise.all(Array.from({ length: 3 }, () => listenLocally(createServer((request, response) => void answer(request, response)), SERVER_HOST)));
  [origin, other, third] = servers.map((server) => `http://${SERVER_HOST}:${portOf(server)}`);
  many = await ManyRelays.start();
});
afterAll(async () => {
  if (missing !== null) return;
  await many.close();
  await Promise.all(servers.map(endServer));
});
beforeEach((context) => {
  if (missing !== null) context.skip(missing);
  asked = [];
});

async function answer({ url = '', method = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
  asked.push(`${method} ${url}`);
  if (url.startsWith('/picture')) response.writeHead(200, { 'content-type': 'image/png', 'content-length': png.length, 'cache-control': 'public, max-age=60' }).end(png);
  else if (url.startsWith('/late')) {
    await sleep(LATE_MS);
    response.end(PIECE);
  } else {
    response.writeHead(200, { 'content-length': WHOLE.length });
    for (let n = 0; n < PIECES; n += 1) {
      response.write(PIECE);
      await sleep(PIECE_MS);
    }
    response.end();
  }
}

/** A picture that the relay has made smaller: its coders take a while to start, and one that is busy lets pictures go as they are. */
function smaller(at = origin): Promise<Received> {
  return vi.waitUntil(async () => {
    const seen = await received(many.ask(`${at}/picture`, 'GET', SHOWN));
    return seen.type === 'image/webp' && seen;
  }, { timeout: 20_000 });
}

const inUse = (): Promise<RelayName> => vi.waitUntil(() => many.used, { timeout: 20_000 });

it('two relays serve as one: what one has made of a public picture both have', async () => {
  const used = await inUse();
  const first = await smaller();
  await expect.poll(() => many.hints).toBe(1);
  await many.kill(used);
  const second = await inUse();
  expect(second).not.toBe(used);
  const again = await smaller();
  expect([again.body.equals(first.body), many.hints]).toEqual([true, 1]);
  await many.startRelay(used);
});

it('a relay that is killed in mid-page costs its user no answer but those of forms, and no wrong byte: what had begun goes on, what had not is asked for once more, and the rest goes by the other relay', async () => {
  const used = await inUse();
  const isBegun = Promise.withResolvers();
  const begun = received(many.ask(`${origin}/begun`), () => isBegun.resolve(null));
  const [late, posted] = [received(many.ask(`${origin}/late`)), received(many.ask(`${origin}/late`, 'POST'))];
  await isBegun.promise;
  await expect.poll(() => asked).toHaveLength(3);
  await many.kill(used);
  const beganMs = performance.now();
  const next = await received(many.ask(`${origin}/next`));
  const tookMs = performance.now() - beganMs;
  expect([next.isWhole, next.body.equals(WHOLE)]).toEqual([true, true]);
  // it waited for nobody that is gone
  expect(tookMs).toBeLessThan(PIECES * PIECE_MS + 3_000);
  const goneOn = await begun;
  expect([goneOn.isWhole, goneOn.body.equals(WHOLE)]).toEqual([true, true]);
  const safe = await late;
  expect([safe.status, safe.isWhole, safe.body.equals(PIECE)]).toEqual([200, true, true]);
  // by the helper, which can not know whether the server has got it
  expect((await posted).status).toBe(502);
  expect(asked.toSorted()).toEqual(['GET /begun', 'GET /begun', 'GET /late', 'GET /late', 'GET /next', 'POST /late']);
  // and the user is at the other one, which is told nothing twice
  expect(await inUse()).not.toBe(used);
  await smaller(other);
  await many.startRelay(used);
});

it('a relay that says nothing any more is raced, and left for the other one', async () => {
  const used = await inUse();
  many.freeze(used);
  const next = await received(many.ask(`${third}/next`));
  expect([next.isWhole, next.body.equals(WHOLE), asked]).toEqual([true, true, expect.arrayContaining(['GET /next'])]);
  expect(await inUse()).not.toBe(used);
  await many.kill(used);
});
