import { seededRandom, shuffled } from '../../shared/src/statistics/random.ts';

/** One page loaded once with every scheme, one after the other. */
export interface Pair {
  readonly page: string;
  /** Round, from 1. */
  readonly run: number;
  /** Labels of the schemes in the order of their loads. */
  readonly order: readonly string[];
}

/**
 * Round by round, every page once a round, both in random order: whenever the run is cut short, every page has the same number of pairs
 * give or take one, and which scheme was first is chance.
 */
export function schedule(pages: readonly string[], labels: readonly string[], runs: number, seed: number): Pair[] {
  const random = seededRandom(seed);
  return Array.from({ length: runs }, (_, round) =>
    shuffled(pages, random).map((page) => ({ page, run: round + 1, order: shuffled(labels, random) })),
  ).flat();
}
