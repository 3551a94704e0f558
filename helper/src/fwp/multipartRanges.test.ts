import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MultipartRanges, boundaryOf } from './multipartRanges.ts';

const OF_BYTES = 1_000;
const BODY = Buffer.from(Array.from({ length: OF_BYTES }, (_, place) => place % 251));

function multipart(parts: readonly (readonly [first: number, length: number])[], before = ''): Buffer {
  const pieces = parts.map(([first, length]) => [Buffer.from(`${before}--b\r\nContent-Type: text/plain\r\nContent-range: bytes ${first}-${first + length - 1}/${OF_BYTES}\r\n\r\n`), BODY.subarray(first, first + length), Buffer.from('\r\n')]);
  return Buffer.concat([...pieces.flat(), Buffer.from('--b--\r\n')]);
}

function read(body: Buffer, sizes: readonly number[]): { isBody: boolean; isWhole: boolean; got: [number, string][] } {
  const got: [number, string][] = [];
  const parts = new MultipartRanges('b', (_range, offset, bytes) => got.push([offset, bytes.toString('hex')]) > 0);
  let isBody = true;
  for (let at = 0, turn = 0; at < body.length && isBody; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    isBody = parts.push(body.subarray(at, at + size));
    at += size;
  }
  return { isBody, isWhole: parts.isWhole, got };
}

describe('a body of several ranges', () => {
  const part = fc.tuple(fc.nat(OF_BYTES - 60), fc.integer({ min: 1, max: 60 }));
  it('gives each byte with its place, however it is cut into pieces', () => {
    fc.assert(fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), fc.constantFrom('', '\r\n'), (parts, sizes, before) => {
      const { isBody, isWhole, got } = read(multipart(parts, before), sizes);
      expect([isBody, isWhole]).toEqual([true, true]);
      const bytes = got.flatMap(([offset, hex]) => [...Buffer.from(hex, 'hex')].map((byte, place) => [offset + place, byte]));
      expect(bytes).toEqual(parts.flatMap(([first, length]) => [...BODY.subarray(first, first + length)].map((byte, place) => [first + place, byte])));
    }));
  });

  it.each([
    ['is cut off', multipart([[5, 10]]).subarray(0, -8).toString('latin1'), true, false],
    ['is another body', '<html>\r\n\r\n', false, false],
    ['has a part that does not say where it is from', '--b\r\nContent-Type: text/plain\r\n\r\nxx', false, false],
    ['has a part of unknown length', '--b\r\nContent-Range: bytes 1-2/*\r\n\r\nxx', false, false],
    ['has a part longer than it says', '--b\r\nContent-Range: bytes 1-2/9\r\n\r\nxxx\r\n--b\r\n\r\n', false, false],
    ['has a head without an end', `--b\r\n${'x'.repeat(5_000)}`, false, false],
  ])('that %s is seen to be', (_, text, isBody, isWhole) => {
    expect(read(Buffer.from(text, 'latin1'), [7])).toMatchObject({ isBody, isWhole });
    expect(read(Buffer.from(text, 'latin1'), [9_999])).toMatchObject({ isBody, isWhole });
  });

  it.each([
    ['multipart/byteranges; boundary=THIS', 'THIS'],
    ['Multipart/Byteranges; charset=x; boundary="a b"', 'a b'],
    ['text/html; boundary=THIS', null],
    ['multipart/byteranges', null],
  ])('names its boundary: %s', (type, boundary) => expect(boundaryOf(['Content-Type', type])).toBe(boundary));
});
