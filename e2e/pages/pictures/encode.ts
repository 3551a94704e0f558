import sharp from 'sharp';

import { type Random } from '../random.ts';
import { drawLandscape } from './landscape.ts';
import { drawProduct } from './product.ts';

/** Photographs are drawn no wider than this and enlarged: finer detail is not worth the time. */
const DRAWN_WIDTH = 640;

/** A landscape as JPEG; quality, with the scene's own grain, decides its size. */
export async function photograph(random: Random, width: number, height: number, quality: number): Promise<Uint8Array> {
  const drawnWidth = Math.min(width, DRAWN_WIDTH);
  const drawnHeight = Math.round((height * drawnWidth) / width);
  const raw = { width: drawnWidth, height: drawnHeight, channels: 3 } as const;
  return await sharp(drawLandscape(random, drawnWidth, drawnHeight), { raw })
    .resize(width, height, { fit: 'fill' })
    .jpeg({ quality, progressive: false })
    .toBuffer();
}

/** A studio photograph as JPEG, with the grain that a drawing lacks. */
export async function studio(random: Random, form: string, width: number, height: number, quality: number): Promise<Uint8Array> {
  const { data, info } = await sharp(Buffer.from(drawProduct(random, form, width, height)))
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grain = random.between(4, 16);
  for (let at = 0; at < data.length; at++) {
    data[at] = Math.min(255, Math.max(0, Math.round((data[at] ?? 0) + (random.next() - 0.5) * grain)));
  }
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return await sharp(data, { raw }).jpeg({ quality }).toBuffer();
}

/** Renders an SVG as PNG. */
export async function png(svg: string): Promise<Uint8Array> {
  return await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
}
