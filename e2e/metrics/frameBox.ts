import type { Rect } from '../../shared/src/page/geometry.ts';

/** Runs on a frame's owner element: its content box in the parent's viewport, or null when it is not shown. Sent to the browser as text. */
export function frameBox(this: HTMLElement): Rect | null {
  if (!this.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
  const box = this.getBoundingClientRect();
  const style = getComputedStyle(this);
  const left = this.clientLeft + parseFloat(style.paddingLeft);
  const top = this.clientTop + parseFloat(style.paddingTop);
  return { x: box.x + left, y: box.y + top, width: this.clientWidth, height: this.clientHeight };
}
