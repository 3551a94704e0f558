import type { Rect } from '../../shared/src/page/geometry.ts';

export function area({ width, height }: Rect): number {
  return width * height;
}

export function contains(outer: Rect, inner: Rect): boolean {
  return (
    inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height
  );
}
