import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, shuffled } from './random.ts';
import { bootstrap, median, quantile } from './statistics.ts';

const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });

describe('quantile', () => {
  // numpy.quantile([15, 20, 35, 40, 50], q)
  it.each([
    [0, 15],
    [0.05, 16],
    [0.25, 20],
    [0.4, 29],
    [0.5, 35],
    [0.75, 40],
    [1, 50],
  ])('of five values at %f is that of NumPy, %f', (probability, expected) => {
    expect(quantile([50, 15, 40, 20, 35], probability)).toBeCloseTo(expected, 10);
  });

  it.each([[[]], [[Number.NaN, 1, 2]], [[2, Number.NaN, 1]]])('is NaN for no values, and where one is none: %j', (values: number[]) => {
    expect(quantile(values, 0.5)).toBeNaN();
  });

  it('lies between the smallest and the largest value and grows with the probability', () => {
    fc.assert(
      fc.property(fc.array(finite, { minLength: 1 }), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (values, p, q) => {
        const [low, high] = [quantile(values, Math.min(p, q)), quantile(values, Math.max(p, q))];
        const slack = 1e-6;
        expect(low).toBeGreaterThanOrEqual(Math.min(...values) - slack);
        expect(high).toBeLessThanOrEqual(Math.max(...values) + slack);
        expect(low).toBeLessThanOrEqual(high + slack);
      }),
    );
  });
});

describe('median', () => {
  it.each([
    [[3], 3],
    [[1, 2], 1.5],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
  ])('of %j is %f', (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});

describe('bootstrap', () => {
  const values = [576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594];

  it('gives the standard error of the mean that theory gives', () => {
    // Efron and Tibshirani, law school data (LSAT): mean 600.27, standard error of the mean sigma/sqrt(n) = 40.4/3.87 = 10.4.
    const mean = (sample: readonly number[]) => sample.reduce((sum, value) => sum + value, 0) / sample.length;
    const { value, low, high } = bootstrap(values, mean, seededRandom(1));
    expect(value).toBeCloseTo(600.27, 2);
    expect((high - low) / (2 * 1.96)).toBeGreaterThan(9.5);
    expect((high - low) / (2 * 1.96)).toBeLessThan(11.3);
  });

  it('is the same for the same seed and holds the estimate of the median', () => {
    const first = bootstrap(values, median, seededRandom(7));
    expect(bootstrap(values, median, seededRandom(7))).toEqual(first);
    expect(first.low).toBeLessThanOrEqual(first.value);
    expect(first.high).toBeGreaterThanOrEqual(first.value);
  });

  it('has no width when all values are the same', () => {
    expect(bootstrap([2, 2, 2], median, seededRandom(1))).toEqual({ value: 2, low: 2, high: 2 });
  });
});

describe('shuffled', () => {
  it('keeps every item once', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 0 }), (items, seed) => {
        expect(shuffled(items, seededRandom(seed)).toSorted()).toEqual(items.toSorted());
      }),
    );
  });

  it('puts each of two items first about half of the time', () => {
    const random = seededRandom(3);
    const firsts = Array.from({ length: 1_000 }, () => shuffled(['a', 'b'], random)[0]);
    expect(firsts.filter((item) => item === 'a').length).toBeGreaterThan(440);
    expect(firsts.filter((item) => item === 'a').length).toBeLessThan(560);
  });
});
