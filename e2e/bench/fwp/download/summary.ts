import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, median, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { estimateText, tableText, total } from '../../driver/comparison.ts';
import type { FwpCounters, Way } from '../plan.ts';
import type { Pattern } from './options.ts';
import type { SideResult } from './plan.ts';

/** What a comparison is made on. */
export interface Condition {
  readonly pattern: Pattern;
  readonly loss: number;
  readonly congestion: string;
}

export interface DownloadRun extends Condition, SideResult {
  readonly way: Way;
  /** The same for both ways of a pair. */
  readonly round: number;
}

export interface DownloadRow extends Condition {
  /** Of which both downloads were whole. */
  readonly pairs: number;
  /** Medians. */
  readonly stockMs: number;
  readonly fwpMs: number;
  /** The median of the pairs' ratios of times, FWP to stock; its interval by resampling pairs. */
  readonly ratio: Estimate;
  /** Downloads that ended early: stock, FWP. */
  readonly failed: readonly [number, number];
  readonly holes: number;
  readonly late: number;
  readonly congested: number;
}

/** A row for each condition. Pure. */
export function summarize(runs: readonly DownloadRun[], conditions: readonly Condition[], seed: number): DownloadRow[] {
  return conditions.map((condition) => {
    const own = runs.filter((run) => isOf(run, condition));
    const pairs = own.flatMap((stock) => own.flatMap((fwp) => (stock.way === 'stock' && fwp.way === 'fwp' && stock.round === fwp.round && stock.ms !== null && fwp.ms !== null ? [{ stock: stock.ms, fwp: fwp.ms }] : [])));
    const counted = (value: (counters: FwpCounters) => number): number => total(own.flatMap(({ fwp }) => (fwp === null ? [] : value(fwp))));
    return {
      ...condition,
      pairs: pairs.length,
      stockMs: median(pairs.map(({ stock }) => stock)),
      fwpMs: median(pairs.map(({ fwp }) => fwp)),
      ratio: bootstrap(pairs, (sample) => median(sample.map(({ stock, fwp }) => fwp / stock)), seededRandom(seed)),
      failed: [failures(own, 'stock'), failures(own, 'fwp')],
      holes: counted(({ holes }) => holes), late: counted(({ late }) => late), congested: counted(({ congested }) => congested),
    };
  });
}

function failures(runs: readonly DownloadRun[], way: Way): number {
  return runs.filter((run) => run.way === way && run.failure !== null).length;
}

function isOf(run: Condition, { pattern, loss, congestion }: Condition): boolean {
  return run.pattern === pattern && run.loss === loss && run.congestion === congestion;
}

const MS_PER_S = 1_000;

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly DownloadRow[], head: readonly string[]): string {
  const cells = rows.map(({ pattern, loss, congestion, pairs, stockMs, fwpMs, ratio, failed, holes, late, congested }) => [
    pattern, `${loss * 100} %`, congestion, String(pairs), ...[stockMs, fwpMs].map((ms) => (ms / MS_PER_S).toFixed(1)), estimateText(ratio), failed.join(', '), String(holes), String(late), String(congested),
  ]);
  const columns = ['losses', 'loss', 'server', 'pairs', 'stock s', 'FWP s', 'time ratio', 'failed: stock, FWP', 'holes', 'late originals', 'left to TCP as congestion'];
  return [...head.flatMap((text) => [text, '']), tableText(columns, cells)].join('\n');
}
