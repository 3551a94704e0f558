import { expect, it } from 'vitest';
import type { CountedLoad, Side } from '../messages/measuring.ts';
import { resultOf } from './result.ts';

const load = (pair: number, side: Side, isrtMs: number): CountedLoad => ({ pair, side, isrtMs, load: 2 * pair, fcpMs: null, lcpMs: null, carried: { neededBytes: 100_000, otherBytes: 50_000 } });
const pairs = (all: readonly (readonly [number, number])[]): CountedLoad[] => all.flatMap(([withMs, withoutMs], place) => [load(place + 1, 'with', withMs), load(place + 1, 'without', withoutMs)]);

it('compares within pairs, and leaves out a pair of which one load is missing', () => {
  const { ratios, verdict, mediansMs } = resultOf([...pairs([[800, 1_000], [1_800, 2_000]]), load(3, 'with', 900)]);
  expect(ratios).toEqual([0.8, 0.9]);
  expect([verdict.n, verdict.shows]).toEqual([2, 'tooFew']);
  expect(mediansMs).toEqual({ with: 900, without: 1_500 });
});

it('shows a gain that all pairs agree on, and says the same again', () => {
  const counted = pairs([[700, 1_000], [720, 1_000], [690, 1_000], [740, 1_000], [710, 1_000], [730, 1_000]]);
  expect(resultOf(counted).verdict).toMatchObject({ n: 6, shows: 'sooner', ratio: { value: 0.715 } });
  expect(resultOf(counted)).toEqual(resultOf(counted));
});

it('has nothing to say of no load', () => {
  expect(resultOf([])).toMatchObject({ ratios: [], mediansMs: { with: NaN, without: NaN }, verdict: { n: 0, shows: 'tooFew' } });
});
