import { describe, expect, it } from 'vitest';
import { pictureBroken } from './breakage.ts';

describe('pictureBroken', () => {
  it.each([
    [null, null, false],
    [0.009, null, false],
    [0.02, null, true],
    [0.02, 0.015, false],
    [0.24, 0, true],
  ])('difference %s, noise %s: %s', (difference, noise, expected) => {
    expect(pictureBroken(difference, noise)).toBe(expected);
  });
});
