import { pairedRatios } from '../../../shared/src/statistics/pairedRatios.ts';
import { seededRandom } from '../../../shared/src/statistics/random.ts';
import { median } from '../../../shared/src/statistics/statistics.ts';
import { verdictOf, type Verdict } from '../../../shared/src/statistics/verdict.ts';
import type { CountedLoad, Side } from '../messages/measuring.ts';

/** The same loads have the same interval, however often they are shown. */
const SEED = 1;

export interface MeasuringResult {
  /** Of each pair of which both loads count, with Firstscreen to without. */
  readonly ratios: readonly number[];
  readonly verdict: Verdict;
  /** NaN of a side without a load. */
  readonly mediansMs: Readonly<Record<Side, number>>;
}

/** What loads come to, by the same statistics as the benchmark's. */
export function resultOf(counted: readonly CountedLoad[]): MeasuringResult {
  const observations = counted.map(({ pair, side, isrtMs }) => ({ page: '', scheme: side, run: pair, value: isrtMs }));
  const ratios = pairedRatios(observations, 'with', 'without').flatMap((page) => page.ratios);
  const medianOf = (side: Side): number => median(counted.filter((load) => load.side === side).map(({ isrtMs }) => isrtMs));
  return { ratios, verdict: verdictOf(ratios, seededRandom(SEED)), mediansMs: { with: medianOf('with'), without: medianOf('without') } };
}
