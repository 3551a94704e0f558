import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { planLoads } from './plan.ts';

it('turns each pair round', () => {
  const sides = (random: number): string => planLoads(4, () => random).map(({ side }) => (side === 'with' ? 'A' : 'B')).join('');
  expect([sides(0), sides(0.9)]).toEqual(['A' + 'ABBAABBA', 'A' + 'BAABBAAB']);
});

it('has each side of each pair once, one pair after the other, and one load more that counts for nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer(), (pairs, seed) => {
      const [first, ...loads] = planLoads(pairs, seededRandom(seed));
      expect(first).toEqual({ pair: 0, side: 'with' });
      expect(loads.map(({ pair }) => pair)).toEqual(Array.from({ length: 2 * pairs }, (_, place) => Math.floor(place / 2) + 1));
      for (let pair = 1; pair <= pairs; pair += 1) expect(loads.filter((load) => load.pair === pair).map(({ side }) => side).toSorted()).toEqual(['with', 'without']);
    }),
  );
});

it('begins with either side about as often', () => {
  const random = seededRandom(2);
  const begun = Array.from({ length: 1_000 }, () => planLoads(1, random)[1]?.side).filter((side) => side === 'with').length;
  expect(Math.abs(begun - 500)).toBeLessThan(60);
});
