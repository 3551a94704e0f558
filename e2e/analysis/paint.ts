import type { Rect } from '../../shared/src/page/geometry.ts';
import { FRAME_TOLERANCE, pixelDiffers, pixelsOf, type DecodedFrame, type Mask } from './pixels.ts';

/** Share of a region's pixels that may still differ when it counts as painted: text or an overlay may change above a picture. */
const REGION_TOLERANCE = 0.05;
/** A region smaller than this (in pixels of the frame) is not judged from a JPEG. */
const MIN_REGION_PX = 9;
/** Work per comparison is bounded: of a large region this many pixels, evenly spread, are looked at. */
const MAX_SAMPLES = 4_000;

export interface PaintInput {
  readonly rect: Rect;
  readonly arrivalMs: number;
  /** Rectangles of smaller pictures that lie on this one: judged by themselves. */
  readonly covered: readonly Rect[];
}

/** `settled` is false when the region could not be judged (too small, animated, never like the final one): then `paintMs` is the arrival. */
export interface Paint {
  readonly paintMs: number;
  readonly settled: boolean;
}

/**
 * When a picture was on the screen: the first frame at or after its arrival in which its region looks as in the final frame, and from which on it stays so.
 * If the region looked so before it arrived, there was nothing to see of it, and the arrival counts.
 *
 * @param frames in order of time, in the coordinates of `rect`
 */
export function paintOf(input: PaintInput, frames: readonly DecodedFrame[], mask: Mask): Paint {
  const unsettled: Paint = { paintMs: input.arrivalMs, settled: false };
  const final = frames.at(-1);
  if (!final) return unsettled;
  const region = samplePixels(input, final, mask);
  if (region.length < MIN_REGION_PX) return unsettled;
  const looksFinal = (frame: DecodedFrame) => {
    let allowed = Math.floor(region.length * REGION_TOLERANCE);
    return region.every((index) => !pixelDiffers(frame, final, index, FRAME_TOLERANCE) || allowed-- > 0);
  };
  const first = Math.max(0, frames.findLastIndex(({ atMs }) => atMs <= input.arrivalMs));
  const painted = frames.findIndex((frame, index) => index >= first && looksFinal(frame));
  const frame = frames[painted];
  // what changes again afterwards is a slide show or a marquee, whose time is its own
  if (!frame || frames.slice(painted).some((later) => !looksFinal(later))) return unsettled;
  return { paintMs: Math.max(frame.atMs, input.arrivalMs), settled: true };
}

function samplePixels({ rect, covered }: PaintInput, { width, height }: DecodedFrame, mask: Mask): number[] {
  const free = Uint8Array.from(mask);
  for (const other of covered) for (const index of pixelsOf(other, width, height, mask)) free[index] = 0;
  const pixels = pixelsOf(rect, width, height, free);
  const stride = Math.ceil(pixels.length / MAX_SAMPLES);
  return stride <= 1 ? pixels : pixels.filter((_, place) => place % stride === 0);
}
