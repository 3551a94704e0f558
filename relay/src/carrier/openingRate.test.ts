import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpeningRate } from './openingRate.ts';

it('takes so many at once, and so many a second from then on', () => {
  const rate = new OpeningRate(10, 3);
  expect([0, 0, 0, 0, 50, 100, 100, 199].map((ms) => rate.take(ms))).toEqual([true, true, true, false, false, true, false, false]);
  expect([10_000, 10_000, 10_000, 10_000].map((ms) => rate.take(ms))).toEqual([true, true, true, false]);
});

it('whenever they come: in no span of time more than that, and one that waits long enough is always taken', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), fc.array(fc.nat(300), { maxLength: 80 }), (perSecond, atOnce, gaps) => {
      const rate = new OpeningRate(perSecond, atOnce);
      const taken: number[] = [];
      let nowMs = 0;
      for (const gap of gaps) {
        nowMs += gap;
        if (rate.take(nowMs)) taken.push(nowMs);
      }
      for (const [first, from] of taken.entries()) for (const [last, to] of taken.entries()) {
        if (last >= first) expect(last - first + 1).toBeLessThanOrEqual(atOnce + ((to - from) * perSecond) / 1_000 + 1e-6);
      }
      expect(rate.take(nowMs + 1_000 / perSecond + 1)).toBe(true);
    }),
  );
});
