import { overallRatio, pagedEstimates, pairedRatios, type Observation } from '../../shared/src/statistics/pairedRatios.ts';
import { seededRandom } from '../../shared/src/statistics/random.ts';
import type { Estimate } from '../../shared/src/statistics/statistics.ts';
import type { SchemePair } from './baselines.ts';
import type { Comparison, Load } from './results.ts';

/** The metrics that are compared, with the names readers see. */
export const METRICS = {
  isrtMs: 'ISRT',
  isrtArrivalMs: 'ISRT, arrival only',
  visuallyCompleteMs: 'Visually complete',
  speedIndexMs: 'Speed Index',
  area95Ms: '95 % of area',
  allObjectsMs: 'All objects',
  bytes: 'Bytes',
} as const;
export type Metric = keyof typeof METRICS;

/** Those of time that tables of pages have, in this order. */
export const SHOWN_TIMES = ['isrtMs', 'speedIndexMs', 'area95Ms', 'visuallyCompleteMs', 'allObjectsMs'] as const satisfies readonly Metric[];

/** Every metric of every scheme against its baseline, overall and by page. The same seed gives the same intervals. */
export function compareSchemes(loads: readonly Load[], pairs: readonly SchemePair[], seed: number): Comparison[] {
  return pairs.flatMap(({ scheme, baseline }) => (Object.keys(METRICS) as Metric[]).map((metric) => compare(loads, scheme, baseline, metric, seed)));
}

/** One of them. */
export function compare(loads: readonly Load[], scheme: string, baseline: string, metric: Metric, seed: number): Comparison {
  const random = seededRandom(seed);
  const pages = pairedRatios(observations(loads, metric), scheme, baseline);
  return {
    scheme,
    baseline,
    metric,
    overall: storable(overallRatio(pages, random)),
    pages: pagedEstimates(pages, random).map(({ page, n, ratio }) => ({ page, n, ratio: storable(ratio) })),
  };
}

function observations(loads: readonly Load[], metric: Metric): Observation[] {
  return loads.flatMap(({ page, scheme, run, failed, [metric]: value }) => (failed === null && value !== null && Number.isFinite(value) ? [{ page, scheme, run, value }] : []));
}

/** JSON has no NaN. */
export function storable({ value, low, high }: Estimate): Comparison['overall'] {
  const orNull = (number: number) => (Number.isFinite(number) ? number : null);
  return { value: orNull(value), low: orNull(low), high: orNull(high) };
}
