import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { deviation, MIN_OBJECT_BYTES, objectSizes } from './objectSizes.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

describe('objectSizes', () => {
  it('has exactly the mean, the deviation and the count asked for', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 6, max: 80 }), fc.integer({ min: 4_000, max: 30_000 }), fc.double({ min: 0.05, max: 1.5, noNaN: true }), (seed, count, mean, share) => {
        const sd = share * (mean - MIN_OBJECT_BYTES);
        const sizes = objectSizes(createRandom(seed), count, mean, sd);
        expect(sizes).toHaveLength(count);
        expect(sum(sizes)).toBe(count * mean);
        expect(Math.abs(deviation(sizes) - sd)).toBeLessThan(1);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(MIN_OBJECT_BYTES - 1);
        expect(sizes.every(Number.isInteger)).toBe(true);
      }),
    );
  });

  it('has one size without a deviation', () => {
    expect(objectSizes(createRandom(1), 3, 8_000, 0)).toEqual([8_000, 8_000, 8_000]);
  });

  it('is the same for the same seed, another for another', () => {
    expect(objectSizes(createRandom(4), 18, 8_000, 8_000)).toEqual(objectSizes(createRandom(4), 18, 8_000, 8_000));
    expect(objectSizes(createRandom(4), 18, 8_000, 8_000)).not.toEqual(objectSizes(createRandom(5), 18, 8_000, 8_000));
  });

  it('finds the deviation where the two largest draws are close to each other', () => {
    expect(deviation(objectSizes(createRandom(8), 6, 4_000, 4_400.770762698656))).toBeCloseTo(4_400.77, 0);
  });

  it.each([
    [2, 8_000, 20_000],
    [18, MIN_OBJECT_BYTES, 10],
  ])('refuses what can not be: %d objects of %d bytes, deviation %d', (count, mean, sd) => {
    expect(() => objectSizes(createRandom(1), count, mean, sd)).toThrow(RangeError);
  });
});
