import { afterEach, expect, it, vi } from 'vitest';
import { ImageWatcher } from './imageWatcher.ts';

afterEach(() => vi.unstubAllGlobals());

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
