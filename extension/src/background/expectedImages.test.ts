import { expect, it } from 'vitest';
import type { NeededKind, NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { ExpectedImages } from './expectedImages.ts';

const A = 'http://images.test/a.jpg';
const needed = (url: string, kind: NeededKind = 'image'): NeededObject => ({ url, kind, bytes: 0 });

it('is for one request of each image, and for images alone', () => {
  const images = new ExpectedImages();
  images.add('d', [needed(A), needed('http://images.test/s.css', 'style')]);
  expect([A, A, 'http://images.test/b.jpg', 'http://images.test/s.css'].map((url) => images.take('d', url))).toEqual([true, false, false, false]);
});

it('is for the document that was told of', () => {
  const images = new ExpectedImages();
  images.add('d', [needed(A)]);
  expect([images.take('other', A), images.take('d', A)]).toEqual([false, true]);
});

it('knows an image by what is asked for: the URL without fragment', () => {
  const images = new ExpectedImages();
  images.add('d', [needed(`${A}#part`)]);
  expect(images.take('d', A)).toBe(true);
});

it('knows nothing of a document that is gone', () => {
  const images = new ExpectedImages();
  images.add('d', [needed(A)]);
  images.forget('d');
  expect(images.take('d', A)).toBe(false);
});
