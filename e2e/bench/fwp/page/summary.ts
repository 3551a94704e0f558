import { median, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText } from '../../driver/comparison.ts';
import { compare } from '../../comparisons.ts';
import type { Load } from '../../results.ts';

/** What one loss brought. */
export interface LossyLoads {
  readonly lossPercent: number;
  readonly loads: readonly Load[];
}

export interface PageRow {
  readonly lossPercent: number;
  readonly scheme: string;
  readonly loads: number;
  readonly failed: number;
  /** Median. */
  readonly isrtMs: number;
  /** Of ISRT, to the first scheme and to the one before; null for the first. */
  readonly toFirst: Estimate | null;
  readonly toLast: Estimate | null;
}

/** A row for each loss and scheme. Pure. */
export function summarize(runs: readonly LossyLoads[], labels: readonly string[], seed: number): PageRow[] {
  return runs.flatMap(({ lossPercent, loads }) => labels.map((scheme, place) => {
    const own = loads.filter((load) => load.scheme === scheme);
    const measured = own.flatMap(({ isrtMs, failed }) => (failed === null && isrtMs !== null ? [isrtMs] : []));
    const [first, last] = [labels[0], labels[place - 1]];
    return {
      lossPercent, scheme, loads: measured.length, failed: own.length - measured.length, isrtMs: median(measured),
      toFirst: place === 0 ? null : isrtRatio(loads, scheme, first ?? '', seed), toLast: place === 0 ? null : isrtRatio(loads, scheme, last ?? '', seed),
    };
  }));
}

function isrtRatio(loads: readonly Load[], scheme: string, baseline: string, seed: number): Estimate {
  const { value, low, high } = compare(loads, scheme, baseline, 'isrtMs', seed).overall;
  return { value: value ?? Number.NaN, low: low ?? Number.NaN, high: high ?? Number.NaN };
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly PageRow[], head: readonly string[]): string {
  const ratio = (estimate: Estimate | null): string => (estimate === null ? '' : estimateText(estimate));
  const cells = rows.map(({ lossPercent, scheme, loads, failed, isrtMs, toFirst, toLast }) => [`${lossPercent} %`, scheme, String(loads), String(failed), isrtMs.toFixed(0), ratio(toFirst), ratio(toLast)]);
  return documentText(head, ['loss', 'scheme', 'loads', 'failed', 'ISRT, ms', 'ratio to the first scheme', 'to the one above'], cells);
}
