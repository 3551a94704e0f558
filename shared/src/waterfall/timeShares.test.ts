import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharesOf, sharesOfBytes } from './timeShares.ts';

it.each([
  [1_000, 700, 200, { neededMs: 500, wasteMs: 200, idleMs: 300 }],
  [1_000, 5_000, 200, { neededMs: 800, wasteMs: 200, idleMs: 0 }],
  [1_000, 100, 200, { neededMs: 0, wasteMs: 100, idleMs: 900 }],
])('%d ms, %d of them busy, %d of these in vain', (total, busy, waste, expected) => expect(sharesOf(total, busy, waste)).toEqual(expected));

it('are those of bytes at the rate of the link', () => {
  expect(sharesOfBytes(1_000, 50_000, 20_000, 800_000)).toEqual({ neededMs: 500, wasteMs: 200, idleMs: 300 });
});

it('add up exactly, and none is below nothing', () => {
  const ms = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => Math.round(value * 1_024) / 1_024);
  fc.assert(fc.property(ms, ms, ms, (total, busy, waste) => {
    const { neededMs, wasteMs, idleMs } = sharesOf(total, busy, waste);
    expect(neededMs + wasteMs + idleMs).toBe(total);
    expect(Math.min(neededMs, wasteMs, idleMs)).toBeGreaterThanOrEqual(0);
  }));
});
