import sharp from 'sharp';
import type { DecodedFrame, Picture } from '../analysis/pixels.ts';
import type { Frame } from './artifacts.ts';

/** Frames kept for analysis: an animated page draws thousands, which neither memory nor the result needs. */
const MAX_FRAMES = 200;

// One thread: decoding runs between loads, but a second core of threads would still be busy when the next browser starts.
sharp.concurrency(1);
sharp.cache(false);

/** A picture as RGB. */
export async function decodePicture(encoded: Buffer): Promise<Picture> {
  const { data, info } = await sharp(encoded).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}


/** Frames in order of time, thinned evenly when there are too many; all of the final frame's size (others are dropped). */
export async function decodeFrames(frames: readonly Frame[]): Promise<DecodedFrame[]> {
  const decoded: DecodedFrame[] = [];
  for (const frame of thinned(frames)) decoded.push({ atMs: frame.atMs, ...(await decodePicture(frame.jpeg)) });
  const final = decoded.at(-1);
  return decoded.filter(({ width, height }) => width === final?.width && height === final.height);
}

/** At most MAX_FRAMES frames: those too close in time to the one kept before are left out, never the last one. */
export function thinned<T extends { readonly atMs: number }>(frames: readonly T[]): T[] {
  const first = frames[0];
  const last = frames.at(-1);
  if (!first || !last || frames.length <= MAX_FRAMES) return [...frames];
  const minGapMs = (last.atMs - first.atMs) / (MAX_FRAMES - 1);
  const kept: T[] = [];
  for (const frame of frames) {
    const previous = kept.at(-1);
    if (!previous || frame === last || frame.atMs - previous.atMs >= minGapMs) kept.push(frame);
  }
  return kept;
}
