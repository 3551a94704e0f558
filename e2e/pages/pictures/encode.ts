import sharp from 'sharp';

import { type Random } from '../random.ts';
import { drawLandscape } from './landscape.ts';
import { drawProduct } from './product.ts';

/** An encoded picture. */
export interface Picture {
  readonly body: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Photographs are drawn no wider than this and enlarged: finer detail is not worth the time. */
const DRAWN_WIDTH = 640;

/** A landscape as JPEG; quality, with the scene's own grain, decides its size. */
export async function photograph(random: Random, width: number, height: number, quality: number): Promise<Picture> {
  const drawnWidth = Math.min(width, DRAWN_WIDTH);
  const drawnHeight = Math.round((height * drawnWidth) / width);
  const raw = { width: drawnWidth, height: drawnHeight, channels: 3 } as const;
  const body = await sharp(drawLandscape(random, drawnWidth, drawnHeight), { raw })
    .resize(width, height, { fit: 'fill' })
    .jpeg({ quality, progressive: false })
    .toBuffer();
  return { body, width, height };
}

/** A studio photograph as JPEG, with the grain that a drawing lacks. */
export async function studio(random: Random, form: string, width: number, height: number, quality: number): Promise<Picture> {
  const { data, info } = await sharp(Buffer.from(drawProduct(random, form, width, height)))
    .flatten({ background: '#fff' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const grain = random.between(4, 16);
  for (let at = 0; at < data.length; at++) {
    data[at] = Math.min(255, Math.max(0, Math.round((data[at] ?? 0) + (random.next() - 0.5) * grain)));
  }
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return { body: await sharp(data, { raw }).jpeg({ quality }).toBuffer(), width: info.width, height: info.height };
}

/** Renders an SVG as PNG. */
export async function png(svg: string): Promise<Uint8Array> {
  return await sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
}
