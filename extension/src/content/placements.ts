import { intersects, type Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/placement.ts';

/** Where each image stands in the document. */
export type Placements = ReadonlyMap<string, Placement>;

/** One image may be used in many places: the one that is needed soonest counts. */
export function soonestPlacements(used: Iterable<{ readonly urls: readonly string[]; readonly placement: Placement }>, view: Rect): Placements {
  const soonest = new Map<string, Placement>();
  for (const { urls, placement } of used) {
    for (const url of urls) {
      const known = soonest.get(url);
      if (known === undefined || distanceOf(placement, view) < distanceOf(known, view)) soonest.set(url, placement);
    }
  }
  return soonest;
}

function distanceOf(placement: Placement, view: Rect): number {
  if (placement.state !== 'placed') return Number.POSITIVE_INFINITY;
  if (intersects(placement.rect, view)) return -1;
  return Math.abs(placement.rect.y - view.y);
}
