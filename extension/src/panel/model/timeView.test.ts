import fc from 'fast-check';
import { expect, it } from 'vitest';
import { panned, showing, wholeView, zoomed } from './timeView.ts';

const LIMIT_MS = 10_000;
const views = fc.tuple(fc.nat(9_000), fc.integer({ min: 50, max: 2_000 })).map(([fromMs, length]) => ({ fromMs, toMs: fromMs + length }));

it('shows the first screen and what comes soon after it', () => {
  expect(wholeView(null, 0)).toEqual({ fromMs: 0, toMs: 100 });
  expect(wholeView(1_000, 50_000).toMs).toBeCloseTo(2_300);
  expect(wholeView(null, 4_000).toMs).toBeCloseTo(4_600);
});

it('zooming keeps what is under the pointer there, as far as the load goes', () => {
  fc.assert(fc.property(views, fc.double({ min: 0.2, max: 0.99, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (view, factor, share) => {
    const aroundMs = view.fromMs + share * (view.toMs - view.fromMs);
    const near = zoomed(view, factor, aroundMs, LIMIT_MS);
    expect((aroundMs - near.fromMs) / (near.toMs - near.fromMs)).toBeCloseTo(share, 5);
    expect(near.toMs - near.fromMs).toBeLessThan(view.toMs - view.fromMs);
  }));
});

it('never leaves the load, nor turns around', () => {
  fc.assert(fc.property(views, fc.integer({ min: -20_000, max: 20_000 }), fc.double({ min: 0.01, max: 100, noNaN: true }), (view, byMs, factor) => {
    for (const { fromMs, toMs } of [panned(view, byMs, LIMIT_MS), zoomed(view, factor, view.fromMs, LIMIT_MS)]) {
      expect(fromMs).toBeGreaterThanOrEqual(0);
      expect(toMs).toBeGreaterThan(fromMs);
      expect(toMs).toBeLessThanOrEqual(LIMIT_MS * 1.15 + 1e-6);
    }
  }));
});

it('moves to what is selected, only if it has to', () => {
  const view = { fromMs: 1_000, toMs: 2_000 };
  expect(showing(view, { fromMs: 1_500, toMs: 9_000 }, LIMIT_MS)).toBe(view);
  expect(showing(view, { fromMs: 5_000, toMs: 5_100 }, LIMIT_MS)).toEqual({ fromMs: 4_900, toMs: 5_900 });
});
