import type { Rect } from '../../shared/src/page/geometry.ts';
import { area, contains } from './rects.ts';
import type { NeededObject } from './needed.ts';
import { paintOf } from './paint.ts';
import type { DecodedFrame, Mask } from './pixels.ts';

/** A needed object with the time at which it was there to be seen. Times in ms after navigation start. */
export interface ShownObject extends NeededObject {
  readonly paintMs: number;
  readonly shownMs: number;
  readonly settled: boolean;
}

/** A picture painted later than this after everything that can have held it back was waiting for a timer (a slide show), not for the network. */
const TIMER_AFTER_MS = 1_000;

export interface ShowInput {
  readonly needed: readonly NeededObject[];
  readonly frames: readonly DecodedFrame[];
  readonly mask: Mask;
  /** Size of a frame's pixel grid against CSS pixels. */
  readonly frameScale: number;
  /** Arrivals of responses that are no pictures, in order: style sheets, scripts and data may be what a picture's paint waited for. */
  readonly causeArrivalsMs: readonly number[];
}

/** When each needed object had arrived and, if it is a picture, was painted. */
export function showTimes({ needed, frames, mask, frameScale, causeArrivalsMs }: ShowInput): ShownObject[] {
  const scaled = new Map(needed.map((object) => [object, object.rects.map((rect) => scaleRect(rect, frameScale))]));
  const allRects = [...scaled.values()].flat();
  return needed.map((object) => {
    const paints = (scaled.get(object) ?? []).map((rect) => {
      const covered = allRects.filter((other) => other !== rect && area(other) < area(rect) && contains(rect, other));
      const paint = paintOf({ rect, arrivalMs: object.arrivalMs, covered }, frames, mask);
      const causeMs = Math.max(object.arrivalMs, causeArrivalsMs.findLast((arrivalMs) => arrivalMs <= paint.paintMs) ?? 0);
      return paint.paintMs - causeMs > TIMER_AFTER_MS ? { paintMs: object.arrivalMs, settled: false } : paint;
    });
    const paintMs = paints.reduce((latest, paint) => Math.max(latest, paint.paintMs), object.arrivalMs);
    return { ...object, paintMs, shownMs: Math.max(object.arrivalMs, paintMs), settled: paints.every(({ settled }) => settled) };
  });
}

/** Initial-screen response time: the last needed object is shown. NaN when nothing arrived. */
export function isrtMs(shown: readonly ShownObject[]): number {
  return shown.length === 0 ? Number.NaN : Math.max(...shown.map(({ shownMs }) => shownMs));
}

/** The same from arrivals alone. */
export function isrtArrivalMs(needed: readonly NeededObject[]): number {
  return needed.length === 0 ? Number.NaN : Math.max(...needed.map(({ arrivalMs }) => arrivalMs));
}

const AREA_SHARE = 0.95;

/** When 95 % of the in-view image area was shown. A page without images is complete when its layout files are. */
export function area95Ms(shown: readonly ShownObject[]): number {
  const pictures = shown
    .map(({ rects, shownMs }) => ({ shownMs, area: rects.reduce((sum, rect) => sum + area(rect), 0) }))
    .filter((picture) => picture.area > 0)
    .toSorted((a, b) => a.shownMs - b.shownMs);
  const total = pictures.reduce((sum, picture) => sum + picture.area, 0);
  let covered = 0;
  for (const picture of pictures) {
    covered += picture.area;
    if (covered >= AREA_SHARE * total) return picture.shownMs;
  }
  return isrtMs(shown);
}

function scaleRect({ x, y, width, height }: Rect, scale: number): Rect {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale };
}
