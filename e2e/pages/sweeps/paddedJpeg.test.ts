import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { jpegOfSize, padJpeg } from './paddedJpeg.ts';

const MAX_COMMENT_BYTES = 65_537;

describe('jpegOfSize', () => {
  it.each([
    [63, 63, 1_000],
    [8, 460, 1_000],
    [444, 160, 17_123],
    [444, 480, 140_000],
  ])('is a picture of %d x %d that decodes, in exactly %d bytes', async (width, height, bytes) => {
    const file = await jpegOfSize(createRandom(1), width, height, bytes);
    expect(file).toHaveLength(bytes);
    const { info, data } = await sharp(file, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([width, height]);
    // not one colour: that it has been painted can be seen
    expect(Math.max(...data.subarray(0, 3_000)) - Math.min(...data.subarray(0, 3_000))).toBeGreaterThan(10);
  });

  it('gives the same bytes for the same seed', async () => {
    const [first, again] = [await jpegOfSize(createRandom(2), 100, 80, 5_000), await jpegOfSize(createRandom(2), 100, 80, 5_000)];
    expect(Buffer.from(first).equals(again)).toBe(true);
  });
});

describe('padJpeg', () => {
  const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]);

  it.each([0, 4, 5, MAX_COMMENT_BYTES, MAX_COMMENT_BYTES + 1, MAX_COMMENT_BYTES + 3, MAX_COMMENT_BYTES + 4, 3 * MAX_COMMENT_BYTES + 2])('adds exactly %d bytes of comments', (more) => {
    const file = Buffer.from(padJpeg(jpeg, jpeg.length + more));
    expect(file).toHaveLength(jpeg.length + more);
    let at = 2;
    while (file.readUInt16BE(at) === 0xfffe) at += 2 + file.readUInt16BE(at + 2);
    expect(file.subarray(at)).toEqual(Buffer.from([0xff, 0xd9]));
  });

  it.each([-1, 1, 3])('refuses to add %d bytes', (more) => {
    expect(() => padJpeg(jpeg, jpeg.length + more)).toThrow(RangeError);
  });
});
