import sharp from 'sharp';
import { expect, it } from 'vitest';
import { smallPicture } from './smallPicture.ts';

const SIZE = { width: 120, height: 60 };
const RED = [200, 30, 30];

it('keeps the colour of a mark of few pixels in a picture of many greys', async () => {
  const greys = Buffer.from(Array.from({ length: SIZE.width * SIZE.height }, (_, at) => [at % 256, at % 256, at % 256]).flat());
  const mark = { input: { create: { width: 3, height: 3, channels: 3 as const, background: { r: 200, g: 30, b: 30 } } }, left: 50, top: 20 };
  const picture = await sharp(greys, { raw: { ...SIZE, channels: 3 } }).composite([mark]).png().toBuffer();
  const small = await smallPicture(picture, 16);
  const { data, info } = await sharp(small).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([SIZE.width, SIZE.height]);
  const at = 3 * (21 * SIZE.width + 51);
  const difference = RED.map((channel, place) => Math.abs(channel - (data[at + place] ?? 0)));
  expect(Math.max(...difference)).toBeLessThan(16);
  expect(small.length).toBeLessThan(picture.length);
});
