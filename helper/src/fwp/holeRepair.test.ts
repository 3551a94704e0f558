import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joined } from './holeRepair.ts';
import { RangeSet } from './rangeSet.ts';

describe('ranges that are asked for', () => {
  it('cover what is missing, in order, and are no more than may be', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.nat(100_000), fc.integer({ min: 1, max: 3_000 }))), fc.integer({ min: 1, max: 8 }), (holes, most) => {
      const missing = new RangeSet();
      for (const [first, length] of holes) missing.add({ first, end: first + length });
      const asked = joined(missing.all, most);
      expect(asked.length).toBeLessThanOrEqual(most);
      const covered = new RangeSet();
      for (const range of asked) covered.add(range);
      expect(missing.without(covered)).toEqual([]);
      expect(asked.every(({ first }, place) => place === 0 || first > (asked[place - 1]?.end ?? 0))).toBe(true);
      expect([asked[0]?.first, asked.at(-1)?.end]).toEqual([missing.all[0]?.first, missing.all.at(-1)?.end]);
    }));
  });

  it('are one where they are nearer to each other than a part costs, and the nearest where there are too many', () => {
    const holes = [{ first: 0, end: 100 }, { first: 200, end: 300 }, { first: 5_000, end: 5_100 }, { first: 9_000, end: 9_100 }];
    expect(joined(holes, 64)).toEqual([{ first: 0, end: 300 }, { first: 5_000, end: 5_100 }, { first: 9_000, end: 9_100 }]);
    expect(joined(holes, 2)).toEqual([{ first: 0, end: 300 }, { first: 5_000, end: 9_100 }]);
  });
});
