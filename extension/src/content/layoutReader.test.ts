import { describe, expect, it } from 'vitest';
import { boxOf, isClipped, viewOf } from './layoutReader.ts';

const rect = (x: number, y: number, width: number, height: number): DOMRectReadOnly => ({ x, y, width, height }) as DOMRectReadOnly;
const entry = (boundingClientRect: DOMRectReadOnly, rootBounds: DOMRectReadOnly | null = null): IntersectionObserverEntry => ({ boundingClientRect, rootBounds }) as IntersectionObserverEntry;

describe('what observers tell of the layout', () => {
  const scrolled = viewOf(entry(rect(-10, -700, 1300, 9000), rect(0, 0, 1280, 720)));

  it('a scrolled view begins where the root element has moved to', () => expect(scrolled).toEqual({ x: 10, y: 700, width: 1280, height: 720 }));

  it('a box keeps its place in the document while the view is scrolled', () => {
    expect(boxOf(entry(rect(20, -600, 50, 60)), scrolled)).toEqual({ x: 30, y: 100, width: 50, height: 60 });
  });

  it('an image that has no extent yet has a place', () => expect(boxOf(entry(rect(20, 30, 0, 0)), scrolled)).toEqual({ x: 30, y: 730, width: 0, height: 0 }));

  it('an element that is not displayed has no box', () => expect(boxOf(entry(rect(0, 0, 0, 0)), scrolled)).toBeNull());
});

describe('what is clipped away', () => {
  const VIEW = rect(0, 0, 1280, 720);
  const seenOf = (boundingClientRect: DOMRectReadOnly, intersectionRect: DOMRectReadOnly | null): boolean =>
    isClipped({ boundingClientRect, rootBounds: VIEW, isIntersecting: intersectionRect !== null, intersectionRect: intersectionRect ?? rect(0, 0, 0, 0) } as IntersectionObserverEntry);

  it.each<[string, boolean, DOMRectReadOnly, DOMRectReadOnly | null]>([
    ['a slide away from the one that is shown', true, rect(300, 20, 50, 60), null],
    ['the slide beside it, which touches what clips', true, rect(300, 20, 50, 60), rect(300, 20, 0, 60)],
    ['a slide that has no size yet', true, rect(300, 20, 0, 0), null],
    ['what is seen in part', false, rect(300, 20, 50, 60), rect(300, 20, 10, 60)],
    ['an image that has no size yet', false, rect(300, 20, 0, 0), rect(300, 20, 0, 0)],
    ['what stands in something that unfolds', false, rect(300, 20, 50, 60), rect(300, 20, 50, 0)],
    ['what is below the view', false, rect(300, 800, 50, 60), null],
  ])('%s: %s', (_, expected, box, seen) => expect(seenOf(box, seen)).toBe(expected));
});
