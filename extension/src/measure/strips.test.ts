import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CountedLoad, Side } from '../messages/measuring.ts';
import { resultOf } from './result.ts';
import { stripsOf } from './strips.ts';

const loads = fc.array(fc.record({ pair: fc.integer({ min: 1, max: 50 }), side: fc.constantFrom<Side>('with', 'without'), load: fc.nat(99), isrtMs: fc.integer({ min: 1, max: 600_000 }), fcpMs: fc.constant(null), lcpMs: fc.constant(null), carried: fc.constant({ neededBytes: 0, otherBytes: 0 }) }), { maxLength: 60 });
/** Half of a label's height. */
const LABEL_PX = 9;
const strips = (counted: readonly CountedLoad[]): ReturnType<typeof stripsOf> => stripsOf(counted, resultOf(counted).mediansMs);

it('draws every load once, within the picture, later ones further right, with the median among them', () => {
  fc.assert(
    fc.property(loads, (counted) => {
      const { width, axisY, rows } = strips(counted);
      const points = rows.flatMap((row) => row.points);
      expect(points.map(({ load }) => load).toSorted((a, b) => a.isrtMs - b.isrtMs).map(({ isrtMs }) => isrtMs)).toEqual(counted.map(({ isrtMs }) => isrtMs).toSorted((a, b) => a - b));
      for (const { x, y } of points) {
        expect(x).toBeGreaterThan(0);
        expect(x).toBeLessThanOrEqual(width);
        expect(y).toBeLessThan(axisY);
      }
      const sorted = points.toSorted((a, b) => a.load.isrtMs - b.load.isrtMs);
      for (const [place, point] of sorted.slice(1).entries()) expect(point.x).toBeGreaterThanOrEqual(sorted[place]!.x);
      for (const row of rows) {
        expect(Math.min(...row.points.map(({ y }) => y))).toBeGreaterThan(row.labelY + LABEL_PX);
        expect(row.medianX).toBeGreaterThanOrEqual(Math.min(...row.points.map(({ x }) => x)) - 1e-9);
        expect(row.medianX).toBeLessThanOrEqual(Math.max(...row.points.map(({ x }) => x)) + 1e-9);
      }
    }),
  );
});

it('begins its time at 0, with few round ticks', () => {
  fc.assert(
    fc.property(loads, (counted) => {
      const { ticks } = strips(counted);
      expect(ticks[0]?.ms).toBe(0);
      expect(ticks.length).toBeLessThanOrEqual(12);
      for (const [place, tick] of ticks.slice(1).entries()) expect(tick.x - ticks[place]!.x).toBeGreaterThan(50);
    }),
  );
  const [load] = [{ pair: 1, side: 'with' as const, load: 1, isrtMs: 2_900, fcpMs: null, lcpMs: null, carried: { neededBytes: 0, otherBytes: 0 } }];
  expect(strips([load])).toMatchObject({ ticks: [0, 500, 1_000, 1_500, 2_000, 2_500].map((ms) => ({ ms })), tickDigits: 1 });
  expect(strips([{ ...load, isrtMs: 230 }]).tickDigits).toBe(2);
});
