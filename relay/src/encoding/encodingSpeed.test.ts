import { expect, it } from 'vitest';
import { EncodingSpeed } from './encodingSpeed.ts';

it('follows what pictures have taken, but for small ones', () => {
  const speed = new EncodingSpeed();
  const before = speed.msFor('image/avif', 2);
  speed.took('image/avif', 0.01, 500);
  expect(speed.msFor('image/avif', 2)).toBe(before);
  for (let i = 0; i < 20; i += 1) speed.took('image/avif', 1, 1_000);
  expect(speed.msFor('image/avif', 2)).toBeCloseTo(3_000, -1);
  expect(speed.msFor('image/webp', 2)).toBe(new EncodingSpeed().msFor('image/webp', 2));
});
