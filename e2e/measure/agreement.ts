import type { Estimate, Results } from '../bench/results.ts';
import { formatInterval, formatRatio } from '../report/format.ts';
import type { MeasurementExport } from './measurementExport.ts';

/** A page as the browser has measured it by itself. */
export interface MeasuredPage {
  readonly page: string;
  /** Null when nothing came of it, and then why. */
  readonly measured: MeasurementExport | null;
  readonly failure: string | null;
}

/** Whether browser and benchmark say the same of a page. */
export interface Agreement extends MeasuredPage {
  /** Of the benchmark; null where it has no pair. */
  readonly bench: Estimate | null;
  readonly benchPairs: number;
  /** Whether the intervals of the two median ratios overlap; null where one of them is missing. */
  readonly agrees: boolean | null;
}

/** @param results of a benchmark of the same pages over the same link */
export function agreements(pages: readonly MeasuredPage[], results: Results, scheme: string): Agreement[] {
  const isrt = results.comparisons.find((comparison) => comparison.scheme === scheme && comparison.metric === 'isrtMs');
  return pages.map((page) => {
    const bench = isrt?.pages.find((known) => known.page === page.page);
    return { ...page, bench: bench?.ratio ?? null, benchPairs: bench?.n ?? 0, agrees: overlap(page.measured?.ratio ?? null, bench?.ratio ?? null) };
  });
}

/** A browser's ratio has its interval whenever it is there. */
function overlap(browser: { readonly low: number; readonly high: number } | null, bench: Estimate | null): boolean | null {
  if (browser === null || bench === null || bench.low === null || bench.high === null) return null;
  return browser.low <= bench.high && bench.low <= browser.high;
}

/** A page a line; without a benchmark to compare with only what was measured. */
export function agreementTable(pages: readonly (MeasuredPage | Agreement)[]): string {
  const lines = pages.map((page) => {
    const { measured, failure } = page;
    const own = measured === null ? `failed: ${failure ?? ''}` : `${formatRatio(measured.ratio?.value)} [${formatInterval(measured.ratio?.low, measured.ratio?.high)}], ${measured.pairsCounted} pairs, ${measured.shows}, ended: ${measured.ended}`;
    if (!('bench' in page)) return `${page.page}: ${own}`;
    const verdict = page.agrees === null ? 'not compared' : page.agrees ? 'agrees' : 'DIFFERS';
    return `${page.page}: ${own}; benchmark ${formatRatio(page.bench?.value)} [${formatInterval(page.bench?.low, page.bench?.high)}], ${page.benchPairs} pairs: ${verdict}`;
  });
  return `${lines.join('\n')}\n`;
}
