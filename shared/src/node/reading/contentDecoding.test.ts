import { randomBytes } from 'node:crypto';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Room } from './room.ts';
import { DecodedPeek, isBomb, type PeekLimits } from './contentDecoding.ts';

const LIMITS: PeekLimits = { decodedBytes: 100_000, waitingBytes: 1_000_000 };
interface Seen {
  readonly bytes: Buffer;
  readonly isWhole: boolean;
}
async function peek(coding: string | null, chunks: readonly Buffer[], limits = LIMITS): Promise<Seen> {
  const bytes: Buffer[] = [];
  return new Promise((resolve) => {
    const looking = new DecodedPeek(coding, { data: (chunk) => void bytes.push(chunk), ended: (isWhole) => resolve({ bytes: Buffer.concat(bytes), isWhole }) }, limits);
    for (const chunk of chunks) looking.write(chunk);
    looking.end();
  });
}
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  let from = 0;
  const pieces = lengths.map((length) => bytes.subarray(from, (from += length)));
  return [...pieces, bytes.subarray(from)];
}

const CODERS: [string | null, (bytes: Buffer) => Buffer][] = [
  [null, (bytes) => bytes],
  ['identity', (bytes) => bytes],
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
];

describe('DecodedPeek', () => {
  it.each(CODERS)('%s, cut anywhere', async (coding, code) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5_000 }), fc.array(fc.nat(100), { maxLength: 10 }), async (bytes, lengths) => {
        const seen = await peek(coding, cut(code(Buffer.from(bytes)), lengths));
        expect(seen).toEqual({ bytes: Buffer.from(bytes), isWhole: true });
      }),
      { numRuns: 50 },
    );
  });

  it.each(CODERS.slice(2))('%s: a bomb is left after a while', async (coding, code) => {
    const { bytes, isWhole } = await peek(coding, [code(Buffer.alloc(50_000_000))]);
    expect([bytes.length <= LIMITS.decodedBytes, isWhole]).toEqual([true, false]);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])('%s that is none ends the looking', async (coding) => {
    await fc.assert(fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
      await peek(coding, [Buffer.from(bytes)]);
    }), { numRuns: 100 });
  });

  it.each(CODERS.slice(2))('%s: what is cut off is not whole', async (coding, code) => {
    const coded = code(randomBytes(1_000));
    expect((await peek(coding, [coded.subarray(0, 500)])).isWhole).toBe(false);
  });

  it.each(['compress', 'gzip, br', 'dcz'])('%s is not looked into', async (coding) => {
    expect(await peek(coding, [Buffer.from('x')])).toEqual({ bytes: Buffer.alloc(0), isWhole: false });
  });

  it('a link that is faster than the decoder is not held up: the looking ends', async () => {
    const coded = gzipSync(randomBytes(60_000));
    expect((await peek('gzip', cut(coded, Array<number>(50).fill(1_000)), { ...LIMITS, waitingBytes: 10_000 })).isWhole).toBe(false);
  });

  it('decodes no more of several bodies at a time than there is room for, and as much again when they have ended', async () => {
    const [room, told]: [Room, string[]] = [new Room(100_000), []];
    const begin = async (name: string): Promise<DecodedPeek> => {
      let decoded = 0;
      const looking = new DecodedPeek('br', { data: ({ length }) => (decoded += length), ended: () => told.push(name) }, LIMITS, room);
      // nearly nothing for a lot, and then nothing more
      looking.write(brotliCompressSync(Buffer.alloc(70_000), { finishFlush: constants.BROTLI_OPERATION_FLUSH }));
      await expect.poll(() => decoded === 70_000 || told.includes(name)).toBe(true);
      return looking;
    };
    const first = await begin('first');
    await begin('second');
    expect(told).toEqual(['second']);
    first.close();
    expect(room.take(100_000)).toBe(true);
  });

  it('hands out what has come, before the end', async () => {
    const html = Buffer.from('<img src=a>'.repeat(1_000));
    const seen = new Promise<string>((resolve) => {
      const looking = new DecodedPeek('gzip', { data: (bytes) => resolve(bytes.toString()), ended: () => undefined }, LIMITS);
      looking.write(gzipSync(html).subarray(0, 60));
    });
    expect(await seen).toContain('<img src=a>');
  });

  it.each([
    ['whole', gzipSync('text'), [true, 'over']],
    ['cut off', gzipSync('text').subarray(0, 12), [false, 'over']],
  ])('says once, behind all that it hands out, that a body that is %s has no more', async (_, body, expected) => {
    const told: unknown[] = [];
    const looking = new DecodedPeek('gzip', { data: () => undefined, ended: (isWhole) => void told.push(isWhole) }, LIMITS);
    looking.write(body);
    looking.end(() => told.push('over'));
    await expect.poll(() => told).toEqual(expected);
  });

  it('says so at once when it had ended before', () => {
    const told: unknown[] = [];
    const looking = new DecodedPeek(null, { data: () => undefined, ended: () => undefined }, LIMITS);
    looking.close();
    looking.end(() => told.push('over'));
    expect(told).toEqual(['over']);
  });

  it('says nothing after it was closed', () => {
    const told: unknown[] = [];
    const looking = new DecodedPeek(null, { data: (bytes) => void told.push(bytes), ended: (isWhole) => void told.push(isWhole) }, LIMITS);
    looking.close();
    looking.write(Buffer.from('x'));
    looking.end();
    expect(told).toEqual([false]);
  });
});

it.each(CODERS)('a reader that fails on %s ends the looking, and nothing else', async (coding, code) => {
  const ends: boolean[] = [];
  const looking = new DecodedPeek(
    coding,
    {
      data: () => {
        throw new Error('a defect of the reader');
      },
      ended: (isWhole) => {
        ends.push(isWhole);
        throw new Error('another');
      },
    },
    LIMITS,
  );
  looking.write(code(Buffer.from('a body')));
  await expect.poll(() => ends).toEqual([false]);
});

describe('a chunk', () => {
  it.each(CODERS)('%s: is told of in its turn, once what it means is handed out', async (coding, code) => {
    const bytes = randomBytes(40_000);
    const coded = code(bytes);
    const told: number[] = [];
    let decoded = 0;
    const looking = new DecodedPeek(coding, { data: ({ length }) => (decoded += length), ended: () => undefined }, LIMITS);
    for (const [place, chunk] of cut(coded, [1, 10_000, 20_000]).entries()) looking.write(chunk, () => told.push(place));
    await expect.poll(() => told).toEqual([0, 1, 2, 3]);
    expect(decoded).toBe(bytes.length);
  });

  it('is told of, too, when nothing more is looked into', async () => {
    const told: string[] = [];
    const looking = new DecodedPeek('gzip', { data: () => undefined, ended: () => told.push('over') }, LIMITS);
    looking.write(Buffer.from('no gzip'), () => told.push('first'));
    looking.write(Buffer.from('at all'), () => told.push('second'));
    await expect.poll(() => told.length).toBe(3);
    looking.write(Buffer.from('later'), () => told.push('third'));
    expect(told.filter((each) => each !== 'over')).toEqual(['first', 'second', 'third']);
  });
});

it.each([
  ['a page of zeros', 1_000, 1_000_000, false],
  ['a long log', 3_000_000, 300_000_000, false],
  ['gzip at its best', 100_000, 103_200_000, true],
  ['brotli of nothing', 100, 70_000_000, true],
])('%s: %i bytes for %i', (_, coded, decoded, expected) => {
  expect(isBomb(coded, decoded)).toBe(expected);
});
