import { seededRandom } from '../../../shared/src/statistics/random.ts';
import { bootstrap, median } from '../../../shared/src/statistics/statistics.ts';
import { compare, storable } from '../comparisons.ts';
import { NOT_MEASURED, type Estimate, type Load } from '../results.ts';
import { conditionName } from './condition.ts';
import type { Figure, PointResult } from './results.ts';
import type { Sweep } from './sweeps.ts';

/**
 * A figure's lines: every scheme at every point of the sweep, from loads whose `page` is their condition. The same seed gives the same intervals.
 *
 * @param labels of the schemes; the first is the baseline
 */
export function figureOf({ name, points }: Sweep, labels: readonly string[], loads: readonly Load[], seed: number): Figure {
  const conditions = points.map(({ x, condition }) => ({ x, condition: conditionName(condition) }));
  const own = loads.filter(({ page, scheme }) => labels.includes(scheme) && conditions.some(({ condition }) => condition === page));
  const [baseline = '', ...others] = labels;
  const comparisons = others.map((scheme) => compare(own, scheme, baseline, 'isrtMs', seed));
  const pointOf = (scheme: string, x: number, condition: string): PointResult => {
    const measured = own.flatMap((load) => (load.page === condition && load.scheme === scheme && load.failed === null && load.isrtMs !== null ? [load.isrtMs] : []));
    const isrtMs = storable(bootstrap(measured, median, seededRandom(seed)));
    if (scheme === baseline) return { x, condition, n: measured.length, gain: null, isrtMs };
    const pairs = comparisons.find((comparison) => comparison.scheme === scheme)?.pages.find(({ page }) => page === condition);
    return { x, condition, n: pairs?.n ?? 0, gain: gainOf(pairs?.ratio ?? NOT_MEASURED), isrtMs };
  };
  return { name, baseline, lines: labels.map((scheme) => ({ scheme, points: conditions.map(({ x, condition }) => pointOf(scheme, x, condition)) })) };
}

/** What is saved of the baseline's time; the ends of the interval change places. */
function gainOf({ value, low, high }: Estimate): Estimate {
  const saved = (ratio: number | null): number | null => (ratio === null ? null : 1 - ratio);
  return { value: saved(value), low: saved(high), high: saved(low) };
}
