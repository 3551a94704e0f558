import { median, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText, medianRatio, pairsOf, runsOn, total } from '../../driver/comparison.ts';
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
    const of = (way: Way): DownloadRun[] => runsOn(runs, { ...condition, way });
    const pairs = pairsOf(of('fwp'), of('stock'), ({ ms }) => ms);
    const counted = (value: (counters: FwpCounters) => number): number => total(of('fwp').flatMap(({ fwp }) => (fwp === null ? [] : value(fwp))));
    return {
      ...condition,
      pairs: pairs.length,
      stockMs: median(pairs.map((pair) => pair.without)),
      fwpMs: median(pairs.map((pair) => pair.with)),
      ratio: medianRatio(pairs, seed),
      failed: [failures(of('stock')), failures(of('fwp'))],
      holes: counted(({ holes }) => holes), late: counted(({ late }) => late), congested: counted(({ congested }) => congested),
    };
  });
}

function failures(runs: readonly DownloadRun[]): number {
  return runs.filter(({ failure }) => failure !== null).length;
}

const MS_PER_S = 1_000;

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly DownloadRow[], head: readonly string[]): string {
  const cells = rows.map(({ pattern, loss, congestion, pairs, stockMs, fwpMs, ratio, failed, holes, late, congested }) => [
    pattern, `${loss * 100} %`, congestion, String(pairs), ...[stockMs, fwpMs].map((ms) => (ms / MS_PER_S).toFixed(1)), estimateText(ratio), failed.join(', '), String(holes), String(late), String(congested),
  ]);
  const columns = ['losses', 'loss', 'server', 'pairs', 'stock s', 'FWP s', 'time ratio', 'failed: stock, FWP', 'holes', 'late originals', 'left to TCP as congestion'];
  return documentText(head, columns, cells);
}
