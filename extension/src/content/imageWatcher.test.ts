import { expect, it, vi } from 'vitest';
import { ImageWatcher } from './imageWatcher.ts';

it('says of a document that is parsed after its elements were collected that they are not all', () => {
  const document = { readyState: 'loading', documentElement: null, querySelectorAll: () => [] };
  vi.stubGlobal('document', document);
  vi.stubGlobal('IntersectionObserver', class { takeRecords = () => []; disconnect = (): void => undefined; });
  const images = new ImageWatcher(() => new Map(), () => undefined, () => undefined);
  images.collect();
  document.readyState = 'interactive';
  expect(images.isParsed).toBe(false);
  images.collect();
  expect(images.isParsed).toBe(true);
});

it('keeps nothing of what the page has replaced', () => {
  vi.stubGlobal('document', { readyState: 'complete', documentElement: null, querySelectorAll: () => [] });
  vi.stubGlobal('IntersectionObserver', class { takeRecords = () => []; disconnect = (): void => undefined; });
  const [there, gone] = [{ isConnected: true }, { isConnected: false }] as unknown as [Element, Element];
  const drawing = new Map([[there, ['https://a.test/a.png']], [gone, ['https://a.test/b.png']]]);
  new ImageWatcher(() => drawing, () => undefined, () => undefined).collect();
  expect([...drawing.keys()]).toEqual([there]);
});

it('looks at thousands of images that are not displayed as often as there are of them', () => {
  const root = { parentElement: null };
  vi.stubGlobal('document', { readyState: 'loading', documentElement: root, querySelectorAll: () => [] });
  let notice = (_: readonly IntersectionObserverEntry[]): void => undefined;
  vi.stubGlobal('IntersectionObserver', class {
    disconnect = (): void => undefined;
    constructor(noticed: typeof notice) {
      notice = noticed;
    }
  });
  const moved = vi.fn();
  new ImageWatcher(() => new Map(), () => undefined, moved);
  const COUNT = 2_000;
  let looks = 0;
  const nothing = { x: 0, y: 0, width: 0, height: 0 };
  const entryOf = (element: object, boundingClientRect = nothing): IntersectionObserverEntry => ({
    get target() {
      looks += 1;
      return element;
    },
    time: 1, boundingClientRect, rootBounds: { ...nothing, width: 800, height: 600 }, intersectionRect: nothing, isIntersecting: false,
  }) as unknown as IntersectionObserverEntry;
  notice([entryOf(root, { ...nothing, width: 800, height: 9_000 }), ...Array.from({ length: COUNT }, () => entryOf({ parentElement: {} }))]);
  // of which parents nothing is known
  expect(moved).toHaveBeenCalledOnce();
  expect(looks).toBeLessThan(10 * COUNT);
});
