import { intersects, isSameRect, type Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/objects.ts';

/** Where each of the wanted URLs stands in the document; a URL that no element uses is missing. */
export type Placements = ReadonlyMap<string, Placement>;

/**
 * Where the elements of each URL were seen last. One URL may be used in many places: the one that is needed soonest counts.
 *
 * @typeParam E names an element
 */
export class PlacementLedger<E> {
  private readonly byElement = new Map<E, { readonly url: string; placement: Placement }>();
  private readonly elementsByUrl = new Map<string, Set<E>>();
  private readonly changed = new Set<string>();

  urlOf(element: E): string | undefined {
    return this.byElement.get(element)?.url;
  }

  has(url: string): boolean {
    return this.elementsByUrl.has(url);
  }

  elements(): E[] {
    return [...this.byElement.keys()];
  }

  /** @returns whether this is new: another URL than before, or another place */
  place(element: E, url: string, placement: Placement): boolean {
    const known = this.byElement.get(element);
    if (known?.url === url && isSamePlacement(known.placement, placement)) return false;
    if (known !== undefined && known.url !== url) this.remove(element);
    this.byElement.set(element, { url, placement });
    const elements = this.elementsByUrl.get(url) ?? new Set();
    this.elementsByUrl.set(url, elements.add(element));
    this.changed.add(url);
    return true;
  }

  remove(element: E): void {
    const url = this.urlOf(element);
    if (url === undefined) return;
    this.byElement.delete(element);
    const elements = this.elementsByUrl.get(url);
    elements?.delete(element);
    if (elements?.size === 0) this.elementsByUrl.delete(url);
    else this.changed.add(url);
  }

  markChanged(url: string): void {
    if (this.has(url)) this.changed.add(url);
  }

  /** Where the URLs stand whose elements were placed since the last call. */
  takeChanged(view: Rect): Placements {
    const placements = new Map<string, Placement>();
    for (const url of this.changed) {
      const best = this.bestOf(url, view);
      if (best !== null) placements.set(url, best);
    }
    this.changed.clear();
    return placements;
  }

  private bestOf(url: string, view: Rect): Placement | null {
    let best: Placement | null = null;
    for (const element of this.elementsByUrl.get(url) ?? []) {
      const placement = this.byElement.get(element)?.placement;
      if (placement !== undefined && (best === null || isNeededSooner(placement, best, view))) best = placement;
    }
    return best;
  }
}

export function isSamePlacement(a: Placement | undefined, b: Placement): boolean {
  if (a?.state !== b.state) return false;
  const [before, after] = [boxOf(a), boxOf(b)];
  return before === null || after === null ? before === after : isSameRect(before, after);
}

function boxOf(placement: Placement): Rect | null {
  if (placement.state === 'placed') return placement.rect;
  return placement.state === 'undisplayed' ? placement.near : null;
}

/** Whether an image that is used in both places is needed sooner for the first. */
export function isNeededSooner(a: Placement, b: Placement, view: Rect): boolean {
  return distanceOf(a, view) < distanceOf(b, view);
}

function distanceOf(placement: Placement, view: Rect): number {
  if (placement.state !== 'placed') return Number.POSITIVE_INFINITY;
  if (intersects(placement.rect, view)) return -1;
  return Math.abs(placement.rect.y - view.y);
}
