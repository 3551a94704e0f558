import type { Rect } from '../../shared/src/page/geometry.ts';

/** A decoded picture: RGB, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** A decoded frame of a load. */
export interface DecodedFrame extends Picture {
  readonly atMs: number;
}

/** Pixels that count; 0 = ignored. One byte a pixel. */
export type Mask = Uint8Array;

/** Difference per channel up to which two pixels are the same: above the noise of JPEG at quality 80, below what an eye sees as another picture. */
export const FRAME_TOLERANCE = 32;

/** A white page of the picture's size. */
export function blankPicture({ width, height }: Picture): Picture {
  return { width, height, rgb: new Uint8Array(width * height * 3).fill(255) };
}

/** Whether pixel `index` differs in any channel by more than `tolerance`. */
export function pixelDiffers(a: Picture, b: Picture, index: number, tolerance: number): boolean {
  const at = index * 3;
  return (
    Math.abs((a.rgb[at] ?? 0) - (b.rgb[at] ?? 0)) > tolerance ||
    Math.abs((a.rgb[at + 1] ?? 0) - (b.rgb[at + 1] ?? 0)) > tolerance ||
    Math.abs((a.rgb[at + 2] ?? 0) - (b.rgb[at + 2] ?? 0)) > tolerance
  );
}

/** Fraction of the masked pixels in which two pictures of one size differ; pictures of different sizes differ wholly. */
export function differingFraction(a: Picture, b: Picture, tolerance: number, mask?: Mask): number {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let counted = 0;
  let differing = 0;
  for (let index = 0; index < a.width * a.height; index++) {
    if (mask?.[index] === 0) continue;
    counted++;
    if (pixelDiffers(a, b, index, tolerance)) differing++;
  }
  return counted === 0 ? 0 : differing / counted;
}

/** The pixels of a rectangle that count, as indices. */
export function pixelsOf(rect: Rect, width: number, height: number, mask: Mask): number[] {
  const pixels: number[] = [];
  const right = Math.min(width, Math.round(rect.x + rect.width));
  const bottom = Math.min(height, Math.round(rect.y + rect.height));
  for (let y = Math.max(0, Math.round(rect.y)); y < bottom; y++) {
    for (let x = Math.max(0, Math.round(rect.x)); x < right; x++) if (mask[y * width + x]) pixels.push(y * width + x);
  }
  return pixels;
}

/** The mask of what stands still: pixels that still change after `restMs`, from what is seen then, are animation, and no arrival ever settles them. */
export function stillPixels(frames: readonly DecodedFrame[], final: Picture, restMs: number): Mask {
  const mask = new Uint8Array(final.width * final.height).fill(1);
  const seenAtRest = Math.max(0, frames.findLastIndex(({ atMs }) => atMs <= restMs));
  for (const frame of frames.slice(seenAtRest)) {
    for (let index = 0; index < mask.length; index++) if (mask[index] && pixelDiffers(frame, final, index, FRAME_TOLERANCE)) mask[index] = 0;
  }
  return mask;
}
