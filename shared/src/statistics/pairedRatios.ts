import type { Random } from './random.ts';
import { bootstrap, median, resample, type Estimate } from './statistics.ts';

/** One measured value of one load. */
export interface Observation {
  readonly page: string;
  readonly scheme: string;
  readonly run: number;
  readonly value: number;
}

/** Scheme against baseline on one page: the ratio of each round in which both were measured. */
export interface PageRatios {
  readonly page: string;
  readonly ratios: readonly number[];
}

/** Pairs by page and round. A round in which either is missing gives no ratio. */
export function pairedRatios(observations: readonly Observation[], scheme: string, baseline: string): PageRatios[] {
  const keyed = new Map(observations.map((observation) => [`${observation.scheme} ${observation.run} ${observation.page}`, observation.value]));
  const byPage = new Map<string, number[]>();
  for (const { page, run, value, scheme: label } of observations) {
    if (label !== scheme) continue;
    const stock = keyed.get(`${baseline} ${run} ${page}`);
    if (stock === undefined || stock <= 0) continue;
    const ratios = byPage.get(page) ?? [];
    ratios.push(value / stock);
    byPage.set(page, ratios);
  }
  return [...byPage].map(([page, ratios]) => ({ page, ratios }));
}

/** Median of each page's paired ratios with its bootstrap interval over rounds. */
export function pagedEstimates(pages: readonly PageRatios[], random: Random): { page: string; n: number; ratio: Estimate }[] {
  return pages.map(({ page, ratios }) => ({ page, n: ratios.length, ratio: bootstrap(ratios, median, random) }));
}

/**
 * Median over pages of the pages' median ratios. The interval resamples pages, and within each page its rounds: both which pages were
 * chosen and how each load went are chance.
 */
export function overallRatio(pages: readonly PageRatios[], random: Random): Estimate {
  const statistic = (sample: readonly PageRatios[]) => median(sample.map(({ ratios }) => median(ratios)));
  const draw = (items: readonly PageRatios[]) => resample(items, random).map(({ page, ratios }) => ({ page, ratios: resample(ratios, random) }));
  return bootstrap(pages, statistic, random, draw);
}
