import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { imageKindOf } from './imageKind.ts';

let png: Buffer;
beforeAll(async () => {
  png = await sharp({ create: { width: 4, height: 4, channels: 4, background: '#ff000080' } }).png().toBuffer();
});

/** That picture with another chunk before its samples; nobody looks at the checksum. */
function withChunk(type: string, bytes = 8): Buffer {
  const chunk = Buffer.alloc(bytes + 12);
  chunk.writeUInt32BE(bytes);
  chunk.write(type, 4, 'latin1');
  const at = png.indexOf('IDAT') - 4;
  return Buffer.concat([png.subarray(0, at), chunk, png.subarray(at)]);
}

describe('imageKindOf', () => {
  it('knows what can be made smaller by its first bytes', async () => {
    const picture = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
    const kinds = await Promise.all((['jpeg', 'png', 'gif', 'webp', 'avif'] as const).map(async (format) => imageKindOf(await picture.clone().toFormat(format).toBuffer())));
    expect(kinds).toEqual(['jpeg', 'png', 'gif', null, null]);
    expect([Buffer.alloc(0), Buffer.from('<svg/>'), png.subarray(0, 20), png.subarray(0, 8)].map(imageKindOf)).toEqual([null, null, null, null]);
  });

  it.each([['tEXt', 'png'], ['sRGB', 'png'], ['iCCP', 'png'], ['acTL', null], ['gAMA', null], ['cHRM', null], ['cICP', null], ['eXIf', null], ['zzZz', null]] as const)('a PNG with %s is taken as %s', (type, kind) => {
    expect(imageKindOf(withChunk(type))).toBe(kind);
  });

  it('a JPEG with another picture behind it, as a gain map, is left alone', async () => {
    const jpeg = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } }).jpeg().toBuffer();
    const segment = Buffer.concat([Buffer.from([0xff, 0xe2, 0, 8]), Buffer.from('MPF\0II', 'latin1')]);
    expect(imageKindOf(Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2), jpeg]))).toBeNull();
  });

  it('a PNG whose chunks lie about their length is left alone', () => {
    const lying = Buffer.from(png);
    lying.writeUInt32BE(0xffff_ffff, 8);
    expect(imageKindOf(lying)).toBeNull();
  });
});
