import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schedule } from './schedule.ts';

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });

describe('schedule', () => {
  it('takes every page once a round, with every scheme once, so that any cut is even', () => {
    fc.assert(
      fc.property(names, names, fc.integer({ min: 1, max: 5 }), fc.nat(), (pages, labels, runs, seed) => {
        const pairs = schedule(pages, labels, runs, seed);
        expect(pairs).toHaveLength(pages.length * runs);
        for (let round = 1; round <= runs; round++) {
          const ofRound = pairs.slice((round - 1) * pages.length, round * pages.length);
          expect(ofRound.map(({ page }) => page).toSorted()).toEqual(pages.toSorted());
          expect(ofRound.every(({ run }) => run === round)).toBe(true);
        }
        for (const { order } of pairs) expect(order.toSorted()).toEqual(labels.toSorted());
      }),
    );
  });

  it('is the same for the same seed and has no favourite first', () => {
    const pages = Array.from({ length: 100 }, (_, place) => `page ${place}`);
    const pairs = schedule(pages, ['conv', 'pf'], 4, 42);
    expect(schedule(pages, ['conv', 'pf'], 4, 42)).toEqual(pairs);
    const stockFirst = pairs.filter(({ order }) => order[0] === 'conv').length;
    expect(stockFirst).toBeGreaterThan(150);
    expect(stockFirst).toBeLessThan(250);
  });
});
