import { expect, it } from 'vitest';
import { ForeseenImages } from './foreseenImages.ts';

it('is for one request each', () => {
  const images = new ForeseenImages();
  images.add(['a', 'b']);
  expect([images.take('a'), images.take('a'), images.take('c'), images.take('b')]).toEqual([true, false, false, true]);
});

it('knows nothing of a helper that is gone', () => {
  const images = new ForeseenImages();
  images.add(['a']);
  images.clear();
  expect(images.take('a')).toBe(false);
});

it('keeps the latest', () => {
  const images = new ForeseenImages();
  images.add(Array.from({ length: 2_001 }, (_, i) => `${i}`));
  expect([images.take('0'), images.take('1'), images.take('2000')]).toEqual([false, true, true]);
});
