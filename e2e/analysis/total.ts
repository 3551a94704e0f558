import type { LoadMetrics } from './analyse.ts';

const SUMMED = [
  'isrtMs', 'isrtArrivalMs', 'neededMs', 'wasteMs', 'idleMs', 'visuallyCompleteMs', 'speedIndexMs', 'area95Ms', 'lowerBoundMs', 'allObjectsMs',
  'bytes', 'bodyBytes', 'firstScreenBytes', 'requests', 'requestsRelayed',
] as const satisfies readonly (keyof LoadMetrics)[];

/** The pages of a journey as one load: every number is the sum over them, and the slowest page's objects come first. Pure. */
export function totalOf(pages: readonly LoadMetrics[]): LoadMetrics {
  const sums = Object.fromEntries(SUMMED.map((name) => [name, pages.reduce((sum, page) => sum + page[name], 0)])) as Record<(typeof SUMMED)[number], number>;
  return {
    ...sums,
    needed: pages.toSorted((a, b) => b.isrtMs - a.isrtMs).flatMap(({ needed }) => needed),
    missing: pages.flatMap(({ missing }) => missing),
    answered: pages.flatMap(({ answered }) => answered),
  };
}
