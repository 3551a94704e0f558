import { describe, expect, it } from 'vitest';
import { monotonicMs, sampleClocks, wallToMonotonic } from './wallClock.ts';

describe('wallToMonotonic', () => {
  it('follows a wall clock that is being slewed', () => {
    const before = { wallMs: 1_000_000, monotonicMs: 500 };
    const after = { wallMs: 1_010_010, monotonicMs: 10_500 };
    expect(wallToMonotonic(before, after, 1_005_005)).toBeCloseTo(5_500);
  });

  it('agrees with the clocks to a millisecond', async () => {
    const before = sampleClocks();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [wallMs, expected] = [Date.now(), monotonicMs()];
    const converted = wallToMonotonic(before, sampleClocks(), wallMs);
    expect(expected - converted).toBeGreaterThan(-1);
    expect(expected - converted).toBeLessThan(3);
  });
});
