/** An image whose sides are no longer than this weighs nothing, and mostly counts visits. In CSS pixels. */
export const MAX_TINY_PX = 10;

/** A rectangle in CSS pixels of the document (not of the viewport). */
export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Whether two rectangles share an area; rectangles without area share nothing. */
export function intersects(a: Rect, b: Rect): boolean {
  return (
    a.width > 0 && a.height > 0 && b.width > 0 && b.height > 0 &&
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  );
}

/**
 * How far, in CSS pixels, a rectangle is from the view: 0 when it touches it.
 *
 * What lies before the view counts double: people read on far more often than they go back, so of two objects
 * at one distance the one ahead comes first.
 */
export function distanceFromView(rect: Rect, view: Rect): number {
  return Math.max(ahead(rect, view), BEHIND_WEIGHT * behind(rect, view));
}

/** As far as somebody has to scroll, in CSS pixels, until a rectangle touches the view, in whatever direction. */
export function scrollDistance(rect: Rect, view: Rect): number {
  return Math.max(ahead(rect, view), behind(rect, view));
}

const BEHIND_WEIGHT = 2;

function ahead(rect: Rect, view: Rect): number {
  return Math.max(0, rect.y - (view.y + view.height), rect.x - (view.x + view.width));
}

function behind(rect: Rect, view: Rect): number {
  return Math.max(0, view.y - (rect.y + rect.height), view.x - (rect.x + rect.width));
}
