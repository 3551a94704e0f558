import { describe, expect, it, vi } from 'vitest';
import { boxOf, elementsInView, isClipped, viewOf } from './layoutReader.ts';

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

describe('a huge page', () => {
  it('is walked no further than it is looked at, and what is seen of it counts for a part', async () => {
    const [root, body] = [{ localName: 'html', shadowRoot: null }, { localName: 'body', shadowRoot: null }];
    let walked = 0;
    vi.stubGlobal('NodeFilter', { SHOW_ELEMENT: 1 });
    vi.stubGlobal('document', {
      documentElement: root,
      querySelector: (name: string) => (name === 'html' ? root : body),
      createTreeWalker: () => ({ get currentNode() { return {}; }, nextNode: () => (walked += 1) }),
    });
    let observed = 0;
    vi.stubGlobal('IntersectionObserver', class {
      disconnect = (): void => undefined;
      constructor(told: (entries: readonly object[]) => void) {
        queueMicrotask(() => told([{ boundingClientRect: rect(0, 0, 1280, 9_000_000), rootBounds: rect(0, 0, 1280, 720), target: root, isIntersecting: true, intersectionRect: rect(0, 0, 1280, 720) }]));
      }
      observe(): void {
        observed += 1;
      }
    });
    expect(await elementsInView(false)).toEqual({ elements: new Set([root]), isWhole: false });
    expect([observed, walked]).toEqual([5_000, 4_999]);
  });
});
