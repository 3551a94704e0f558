import { expect, it } from 'vitest';
import { Backoff } from './backoff.ts';

it('is ever longer, up to ten minutes, until what did not answer does', () => {
  const backoff = new Backoff();
  expect(backoff.leftMs(1_000_000)).toBe(0);
  const lengths = Array.from({ length: 8 }, () => {
    const lengthMs = backoff.begin(1_000_000);
    expect(backoff.leftMs(1_000_000)).toBe(lengthMs);
    return lengthMs;
  });
  expect(lengths).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000, 600_000]);
  expect([backoff.leftMs(1_500_000), backoff.leftMs(1_600_000), backoff.leftMs(0)]).toEqual([100_000, 0, 600_000]);
  backoff.end();
  expect(backoff.leftMs(1_000_000)).toBe(0);
  backoff.begin(1_000_000);
  expect(backoff.leftMs(1_000_000)).toBe(10_000);
});
