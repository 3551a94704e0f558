import { median, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText, medianRatio, pairsOf, runsOn } from '../comparison.ts';
import type { Way } from './plan.ts';
import type { Condition, SpoolRun } from './run.ts';

export interface SummaryRow extends Condition {
  readonly pairs: number;
  /** Medians, in milliseconds. */
  readonly stockMs: number;
  readonly spoolMs: number;
  /** The median of the pairs' ratios, spool to stock; its interval by resampling pairs. */
  readonly ratio: Estimate;
}

/** A row for each condition, from its pairs. Pure. */
export function summarize(runs: readonly SpoolRun[], conditions: readonly Condition[], seed: number): SummaryRow[] {
  return conditions.map((condition) => {
    const of = (way: Way): SpoolRun[] => runsOn(runs, { ...condition, way });
    const pairs = pairsOf(of('spool'), of('stock'), ({ ms }) => ms);
    return {
      ...condition,
      pairs: pairs.length,
      stockMs: median(pairs.map((pair) => pair.without)),
      spoolMs: median(pairs.map((pair) => pair.with)),
      ratio: medianRatio(pairs, seed),
    };
  });
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly SummaryRow[], head: readonly string[]): string {
  const cells = rows.map(({ pattern, receiveBuffer, loss, congestion, pairs, stockMs, spoolMs, ratio }) => [
    pattern, receiveBuffer === null ? "TCP's own" : String(receiveBuffer), `${loss * 100} %`, congestion, String(pairs),
    ...[stockMs, spoolMs].map((ms) => (ms / 1_000).toFixed(1)), estimateText(ratio), `${((1 / ratio.value - 1) * 100).toFixed(0)} %`,
  ]);
  return documentText(head, ['reader', 'SO_RCVBUF', 'loss', 'server', 'pairs', 'stock s', 'spool s', 'time ratio', 'throughput gained'], cells);
}
