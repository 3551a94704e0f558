import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeScale, niceTicks } from './scale.ts';

describe('makeScale', () => {
  it('maps ends to ends, downward too', () => {
    const y = makeScale('linear', { low: 0, high: 50 }, { low: 400, high: 100 });
    expect([y(0), y(25), y(50)]).toEqual([400, 250, 100]);
  });

  it('puts twice as much equally far apart on a logarithmic axis', () => {
    const x = makeScale('log', { low: 200, high: 3_200 }, { low: 0, high: 400 });
    expect([200, 400, 800, 1_600, 3_200].map((value) => Math.round(x(value)))).toEqual([0, 100, 200, 300, 400]);
  });

  it('puts a single value in the middle', () => {
    expect(makeScale('log', { low: 8, high: 8 }, { low: 0, high: 100 })(8)).toBe(50);
  });
});

describe('niceTicks', () => {
  it.each([
    [0, 0.28, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3]],
    [-0.12, 0.3, [-0.2, -0.1, 0, 0.1, 0.2, 0.3]],
    [0, 4_900, [0, 1_000, 2_000, 3_000, 4_000, 5_000]],
    [0, 0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ])('from %d to %d', (low, high, ticks) => {
    expect(niceTicks({ low, high }, 6)).toEqual(ticks);
  });

  it('holds every value between its ends, in few steps', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e4, max: 0, noNaN: true }), fc.double({ min: 0.001, max: 1e4, noNaN: true }), (low, high) => {
        const ticks = niceTicks({ low, high }, 6);
        expect(Math.min(...ticks)).toBeLessThanOrEqual(low + 1e-9);
        expect(Math.max(...ticks)).toBeGreaterThanOrEqual(high - 1e-9);
        expect(ticks.length).toBeLessThanOrEqual(8);
        expect(ticks).toContain(0);
      }),
    );
  });
});
