import type { Random } from './random.ts';
import { bootstrap, median, type Estimate } from './statistics.ts';

/** What is taken for chance: what a 95 % interval leaves out. */
const CHANCE = 0.05;

/** With fewer pairs chance alone makes all of them sooner, or all later, too often: in 2 of 2^n measurements. */
export const MIN_PAIRS = Math.ceil(1 - Math.log2(CHANCE));

/** What paired ratios say; `nothing`: the interval holds 1, so no difference is shown. */
export type Shown = 'sooner' | 'later' | 'nothing' | 'tooFew';

export interface Verdict {
  /** Pairs. */
  readonly n: number;
  /** Median of the ratios, with its interval. */
  readonly ratio: Estimate;
  readonly shows: Shown;
}

/** @param ratios one of each pair; below 1 is sooner */
export function verdictOf(ratios: readonly number[], random: Random): Verdict {
  const ratio = bootstrap(ratios, median, random);
  return { n: ratios.length, ratio, shows: ratios.length < MIN_PAIRS ? 'tooFew' : shownBy(ratio) };
}

/**
 * About how many pairs more would show a difference, as an interval narrows with the root of its pairs.
 *
 * @param difference as a share: 0.05 is a ratio of 0.95
 */
export function pairsToShow({ n, ratio: { low, high } }: Verdict, difference: number): number {
  if (n === 0) return MIN_PAIRS;
  const halfWidth = Math.log(high / low) / 2;
  const needed = Math.ceil(n * (halfWidth / Math.log(1 - difference)) ** 2);
  return Math.max(needed, MIN_PAIRS, n) - n;
}

function shownBy({ low, high }: Estimate): Shown {
  if (high < 1) return 'sooner';
  return low > 1 ? 'later' : 'nothing';
}
