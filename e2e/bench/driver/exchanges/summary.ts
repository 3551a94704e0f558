import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, quantile, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import type { Ends } from '../arguments.ts';
import { estimateText, tableText } from '../comparison.ts';
import type { Batch } from './batch.ts';
import type { ExchangesOptions, Kind } from './options.ts';

const PERCENTILES = [0.5, 0.95, 0.99] as const;

export interface SummaryRow {
  readonly kind: Kind;
  readonly ends: Ends;
  readonly exchanges: number;
  readonly failures: number;
  /** p50, p95, p99 in milliseconds. */
  readonly percentilesMs: readonly number[];
  /** The same against `none`; its interval by resampling rounds. Null for `none` itself. */
  readonly ratios: readonly Estimate[] | null;
  readonly copiesPerExchange: number;
  readonly copyBytesPerExchange: number;
}

/** Rounds as rows. Pure. */
export function summarize(batches: readonly Batch[], { kinds, ends, seed }: Pick<ExchangesOptions, 'kinds' | 'ends' | 'seed'>): SummaryRow[] {
  return kinds.flatMap((kind) => ends.map((end) => row(batches.filter((batch) => batch.kind === kind), kind, end, seed)));
}

function row(batches: readonly Batch[], kind: Kind, ends: Ends, seed: number): SummaryRow {
  const own = batches.filter((batch) => batch.ends === ends);
  const samples = own.flatMap(({ ms }) => ms);
  const per = (total: (batch: Batch) => number): number => own.reduce((sum, batch) => sum + total(batch), 0) / samples.length;
  const rounds = [...new Set(own.map(({ round }) => round))];
  const ratio = (percentile: number) => (sample: readonly number[]): number => {
    const of = (which: Ends): number[] => sample.flatMap((round) => batches.filter((batch) => batch.round === round && batch.ends === which).flatMap(({ ms }) => ms));
    return quantile(of(ends), percentile) / quantile(of('none'), percentile);
  };
  const random = seededRandom(seed);
  return {
    kind, ends, exchanges: samples.length, failures: own.flatMap(({ failures }) => failures).length,
    percentilesMs: PERCENTILES.map((percentile) => quantile(samples, percentile)),
    ratios: ends === 'none' || !batches.some((batch) => batch.ends === 'none') ? null : PERCENTILES.map((percentile) => bootstrap(rounds, ratio(percentile), random)),
    copiesPerExchange: per(({ copies }) => copies),
    copyBytesPerExchange: per(({ copyBytes }) => copyBytes),
  };
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly SummaryRow[], head: readonly string[]): string {
  const cells = rows.map(({ kind, ends, exchanges, failures, percentilesMs, ratios, copiesPerExchange, copyBytesPerExchange }) => [
    kind, ends, String(exchanges), String(failures),
    ...percentilesMs.map((ms) => ms.toFixed(0)),
    ...(ratios ?? [null, null, null]).map((ratio) => (ratio === null ? '–' : estimateText(ratio))),
    copiesPerExchange.toFixed(1), copyBytesPerExchange.toFixed(0),
  ]);
  const columns = ['exchange', 'driver at', 'n', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'p50 ratio', 'p95 ratio', 'p99 ratio', 'copies each', 'bytes of them'];
  return [...head.flatMap((text) => [text, '']), tableText(columns, cells)].join('\n');
}
