import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readSheet } from './bodyReaders.ts';

async function read(headers: readonly string[], body: Buffer, { status = 200, isWhole = true } = {}): Promise<string[] | null> {
  const urls: string[] = [];
  const reader = readSheet('http://a.test/s.css', status, headers, (imports) => urls.push(...imports));
  if (reader === null) return null;
  for (let from = 0; from < body.length; from += 5) reader.write(body.subarray(from, from + 5));
  // decoders work beside the event loop
  if (isWhole) await new Promise<void>((resolve) => reader.end(resolve));
  else reader.close();
  return urls;
}

const CSS = Buffer.from('@import "\u00e4.css";p{}');
const TYPE = ['Content-Type', 'text/css; charset=utf-8'];

describe('readSheet', () => {
  it.each([
    ['plain', TYPE, CSS],
    ['coded', [...TYPE, 'Content-Encoding', 'gzip'], gzipSync(CSS)],
  ])('%s', async (_, headers, body) => expect(await read(headers, body)).toEqual(['http://a.test/%C3%A4.css']));

  it('names what a long sheet imports before it is whole', async () => {
    const long = Buffer.concat([CSS, Buffer.alloc(20_000, 'a')]);
    expect(await read(TYPE, long, { isWhole: false })).toEqual(['http://a.test/%C3%A4.css']);
    expect(await read([...TYPE, 'Content-Encoding', 'gzip'], gzipSync(long))).toEqual(['http://a.test/%C3%A4.css']);
  });

  it('names nothing of what is cut off', async () => {
    expect(await read(TYPE, CSS, { isWhole: false })).toEqual([]);
  });

  it.each([
    ['another type', ['Content-Type', 'text/html'], 200],
    ['no type', [], 200],
    ['an error', TYPE, 404],
  ])('does not read %s', async (_, headers, status) => expect(await read(headers, CSS, { status })).toBeNull());
});
