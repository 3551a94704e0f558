import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceFromView, intersects, scrollDistance, type Rect } from './geometry.ts';

const coordinate = fc.integer({ min: -5000, max: 5000 });
const size = fc.integer({ min: 1, max: 3000 });
const rects: fc.Arbitrary<Rect> = fc.record({ x: coordinate, y: coordinate, width: size, height: size });
const view: Rect = { x: 0, y: 1000, width: 1000, height: 500 };

describe('intersects', () => {
  it('does not depend on the order', () => {
    fc.assert(fc.property(rects, rects, (a, b) => intersects(a, b) === intersects(b, a)));
  });

  it('holds for a rectangle and itself, and not for two that only share an edge', () => {
    fc.assert(fc.property(rects, (a) => intersects(a, a) && !intersects(a, { ...a, x: a.x + a.width }) && !intersects(a, { ...a, y: a.y + a.height })));
  });

  it('never holds for a rectangle without area', () => {
    fc.assert(fc.property(rects, rects, (a, b) => !intersects({ ...a, width: 0 }, b) && !intersects(a, { ...b, height: 0 })));
  });
});

describe('distanceFromView', () => {
  it('is 0 for what intersects the view, and never negative', () => {
    fc.assert(fc.property(rects, rects, (rect, anyView) => distanceFromView(rect, anyView) >= 0 && (!intersects(rect, anyView) || distanceFromView(rect, anyView) === 0)));
  });

  it.each([
    ['below', { x: 0, y: 1600, width: 10, height: 10 }, 100],
    ['above, which counts double', { x: 0, y: 890, width: 10, height: 10 }, 200],
    ['to the right', { x: 1300, y: 1100, width: 10, height: 10 }, 300],
    ['to the left, which counts double', { x: -60, y: 1100, width: 10, height: 10 }, 100],
    ['touching', { x: 0, y: 1500, width: 10, height: 10 }, 0],
  ])('measures what is %s', (_where, rect, distance) => {
    expect(distanceFromView(rect, view)).toBe(distance);
  });

  it('grows as an object moves on', () => {
    fc.assert(fc.property(rects, fc.nat(1000), (rect, step) => {
      const below = { ...rect, y: view.y + view.height + Math.abs(rect.y) };
      return distanceFromView(below, view) <= distanceFromView({ ...below, y: below.y + step }, view);
    }));
  });
});

describe('scrollDistance', () => {
  it.each([
    ['below', { x: 0, y: 1600, width: 10, height: 10 }, 100],
    ['above', { x: 0, y: 890, width: 10, height: 10 }, 100],
    ['to the left', { x: -60, y: 1100, width: 10, height: 10 }, 50],
    ['below and to the right: the longer way', { x: 1300, y: 1600, width: 10, height: 10 }, 300],
    ['in the view', { x: 0, y: 1100, width: 10, height: 10 }, 0],
  ])('is the way to what is %s', (_where, rect, distance) => {
    expect(scrollDistance(rect, view)).toBe(distance);
  });
});
