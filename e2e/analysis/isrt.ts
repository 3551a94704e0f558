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

/** When each needed object had arrived and, if it is a picture, was painted. */
export function showTimes(needed: readonly NeededObject[], frames: readonly DecodedFrame[], mask: Mask, frameScale: number): ShownObject[] {
  const scaled = new Map(needed.map((object) => [object, object.rects.map((rect) => scaleRect(rect, frameScale))]));
  const allRects = [...scaled.values()].flat();
  return needed.map((object) => {
    const paints = (scaled.get(object) ?? []).map((rect) => {
      const covered = allRects.filter((other) => other !== rect && area(other) < area(rect) && contains(rect, other));
      return paintOf({ rect, arrivalMs: object.arrivalMs, covered }, frames, mask);
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
