import type { Rect } from '../../shared/src/page/geometry.ts';

/**
 * Runs in the parent document, on a frame's owner element: its content box in the parent's viewport, or null when it is
 * not shown. Sent to the browser as text.
 */
export function frameBox(owner: HTMLElement): Rect | null {
  if (!owner.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
  const box = owner.getBoundingClientRect();
  const style = getComputedStyle(owner);
  const left = owner.clientLeft + parseFloat(style.paddingLeft);
  const top = owner.clientTop + parseFloat(style.paddingTop);
  return { x: box.x + left, y: box.y + top, width: owner.clientWidth, height: owner.clientHeight };
}
