import { blankPicture, differingFraction, FRAME_TOLERANCE, type DecodedFrame, type Mask, type Picture } from './pixels.ts';

/** Share of still pixels that may differ in a picture that counts as complete. */
const COMPLETE_TOLERANCE = 0.01;
const BINS = 256;

export interface VisualMetrics {
  readonly speedIndexMs: number;
  readonly visuallyCompleteMs: number;
}

/**
 * Speed Index and visually complete over the still pixels of the frames.
 *
 * Progress is that of WebPageTest: how far the colour histogram has gone from the first frame's to the final one's, the
 * mean over the channels; what was drawn before the server heard of the page is not of the page, and the last of it is the
 * first frame. Speed Index = integral of (1 - progress) over time. Visually complete = first frame from which on at most
 * 1 % of the pixels differ from the final one.
 *
 * @param firstRequestMs when the first request of the load reached a server
 */
export function visualMetrics(frames: readonly DecodedFrame[], mask: Mask, firstRequestMs: number): VisualMetrics {
  const final = frames.at(-1);
  if (!final) return { speedIndexMs: Number.NaN, visuallyCompleteMs: Number.NaN };
  return { speedIndexMs: speedIndex(frames, final, mask, firstRequestMs), visuallyCompleteMs: visuallyComplete(frames, final, mask) };
}

function visuallyComplete(frames: readonly DecodedFrame[], final: DecodedFrame, mask: Mask): number {
  const lastIncomplete = frames.findLastIndex((frame) => differingFraction(frame, final, FRAME_TOLERANCE, mask) > COMPLETE_TOLERANCE);
  return Math.max(0, frames[lastIncomplete + 1]?.atMs ?? final.atMs);
}

function speedIndex(frames: readonly DecodedFrame[], final: DecodedFrame, mask: Mask, firstRequestMs: number): number {
  const blank: Picture = frames.findLast(({ atMs }) => atMs <= firstRequestMs) ?? blankPicture(final);
  const start = histogram(blank, mask);
  const end = histogram(final, mask);
  let sum = 0;
  let sinceMs = 0;
  let progress = 0;
  for (const frame of frames) {
    if (frame.atMs <= firstRequestMs) continue;
    sum += (1 - progress) * (frame.atMs - sinceMs);
    sinceMs = frame.atMs;
    progress = histogramProgress(start, histogram(frame, mask), end);
  }
  return sum;
}

type Histogram = readonly [Uint32Array, Uint32Array, Uint32Array];

function histogram({ rgb }: Picture, mask: Mask): Histogram {
  const channels: Histogram = [new Uint32Array(BINS), new Uint32Array(BINS), new Uint32Array(BINS)];
  for (let index = 0; index < mask.length; index++) {
    if (!mask[index]) continue;
    for (let channel = 0; channel < 3; channel++) {
      const bins = channels[channel] as Uint32Array;
      const bin = rgb[index * 3 + channel] ?? 0;
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
  }
  return channels;
}

function histogramProgress(start: Histogram, current: Histogram, end: Histogram): number {
  const perChannel = start.map((from, channel) => {
    const now = current[channel] as Uint32Array;
    const to = end[channel] as Uint32Array;
    let total = 0;
    let matched = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const whole = (to[bin] ?? 0) - (from[bin] ?? 0);
      const part = (now[bin] ?? 0) - (from[bin] ?? 0);
      total += Math.abs(whole);
      if (Math.sign(whole) === Math.sign(part)) matched += Math.min(Math.abs(whole), Math.abs(part));
    }
    return total === 0 ? 1 : matched / total;
  });
  return perChannel.reduce((sum, share) => sum + share, 0) / perChannel.length;
}
