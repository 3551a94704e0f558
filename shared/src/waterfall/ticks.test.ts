import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ticks } from './ticks.ts';

it.each([
  [0, 1_000, 12, [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000]],
  [150, 1_150, 5, [200, 400, 600, 800, 1_000]],
])('from %d to %d are at most %d', (from, to, most, expected) => expect(ticks(from, to, most)).toEqual(expected));

it('are inside, and no more than asked for and the one at the beginning', () => {
  fc.assert(fc.property(fc.nat(100_000), fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 20 }), (fromMs, lengthMs, most) => {
    const all = ticks(fromMs, fromMs + lengthMs, most);
    expect(all.length).toBeLessThanOrEqual(most + 1);
    for (const ms of all) expect(ms >= fromMs && ms <= fromMs + lengthMs).toBe(true);
  }));
});
