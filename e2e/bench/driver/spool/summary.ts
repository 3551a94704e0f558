import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, median, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { estimateText, tableText } from '../comparison.ts';
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
    const own = runs.filter((run) => isOf(run, condition));
    const pairs = own.filter(({ way }) => way === 'stock').flatMap((stock) => own.filter(({ way, round }) => way === 'spool' && round === stock.round).map((spool) => ({ stock: stock.ms, spool: spool.ms })));
    return {
      ...condition,
      pairs: pairs.length,
      stockMs: median(pairs.map(({ stock }) => stock)),
      spoolMs: median(pairs.map(({ spool }) => spool)),
      ratio: bootstrap(pairs, (sample) => median(sample.map(({ stock, spool }) => spool / stock)), seededRandom(seed)),
    };
  });
}

function isOf(run: Condition, { loss, congestion, pattern, receiveBuffer }: Condition): boolean {
  return run.loss === loss && run.congestion === congestion && run.pattern === pattern && run.receiveBuffer === receiveBuffer;
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly SummaryRow[], head: readonly string[]): string {
  const cells = rows.map(({ pattern, receiveBuffer, loss, congestion, pairs, stockMs, spoolMs, ratio }) => [
    pattern, receiveBuffer === null ? "TCP's own" : String(receiveBuffer), `${loss * 100} %`, congestion, String(pairs),
    ...[stockMs, spoolMs].map((ms) => (ms / 1_000).toFixed(1)), estimateText(ratio), `${((1 / ratio.value - 1) * 100).toFixed(0)} %`,
  ]);
  return [...head.flatMap((text) => [text, '']), tableText(['reader', 'SO_RCVBUF', 'loss', 'server', 'pairs', 'stock s', 'spool s', 'time ratio', 'throughput gained'], cells)].join('\n');
}
