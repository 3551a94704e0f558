import type { Random } from './random.ts';

/** Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996, the default of R and NumPy). NaN for no values, and where one is no number. */
export function quantile(values: readonly number[], probability: number): number {
  // it has no place in their order
  if (values.some(Number.isNaN)) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * probability;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** An estimate with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 2_000;
const TAIL = 0.025;

/** Values drawn with replacement, as many as there are. */
export function resample<T>(items: readonly T[], random: Random): T[] {
  return items.map(() => items[Math.floor(random() * items.length)] as T);
}

/**
 * Percentile bootstrap (Efron 1979): the statistic over resamples of the items, its 2.5 % and 97.5 % quantiles.
 *
 * @param draw makes one resample; by default items with replacement
 */
export function bootstrap<T>(
  items: readonly T[],
  statistic: (sample: readonly T[]) => number,
  random: Random,
  draw: (items: readonly T[], random: Random) => readonly T[] = resample,
): Estimate {
  const replicates: number[] = [];
  for (let round = 0; round < RESAMPLES && items.length > 0; round++) replicates.push(statistic(draw(items, random)));
  return { value: statistic(items), low: quantile(replicates, TAIL), high: quantile(replicates, 1 - TAIL) };
}
