import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, quantile, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText } from '../comparison.ts';
import type { Batch, Exchange, Server } from './batch.ts';
import type { Ends, ExchangesOptions, Kind } from './options.ts';

/** A client gives up after so long (firstscreen-exchanges, `-timeout`); one that was refused at once has no answer either. */
const FAILED_MS = 60_000;
const PERCENTILES = [0.5, 0.95, 0.99] as const;

export interface SummaryRow {
  readonly kind: Kind;
  readonly server: Server;
  readonly ends: Ends;
  readonly exchanges: number;
  readonly failures: number;
  /** p50, p95, p99 in milliseconds. */
  readonly percentilesMs: readonly number[];
  /** The same against `none`; its interval by resampling rounds. Null for `none` itself. */
  readonly ratios: readonly Estimate[] | null;
  /** Of the exchanges with either server. */
  readonly copiesPerExchange: number;
  readonly copyBytesPerExchange: number;
}

/** Rounds as rows. Pure. */
export function summarize(batches: readonly Batch[], { kinds, ends, seed }: Pick<ExchangesOptions, 'kinds' | 'ends' | 'seed'>): SummaryRow[] {
  const servers = [...new Set(batches.flatMap(({ exchanges }) => exchanges.map(({ server }) => server)))];
  return kinds.flatMap((kind) => servers.flatMap((server) => ends.map((end) => row(batches.filter((batch) => batch.kind === kind), { kind, server, ends: end }, seed))));
}

function row(batches: readonly Batch[], condition: Pick<SummaryRow, 'kind' | 'server' | 'ends'>, seed: number): SummaryRow {
  const { server, ends } = condition;
  const own = batches.filter((batch) => batch.ends === ends);
  const askedOf = (of: readonly Batch[]): Exchange[] => of.flatMap(({ exchanges }) => exchanges.filter((exchange) => exchange.server === server));
  const timesOf = (asked: readonly Exchange[]): number[] => asked.map(({ ms, failed }) => (failed === undefined ? ms : Math.max(ms, FAILED_MS)));
  const per = (total: (batch: Batch) => number): number => own.reduce((sum, batch) => sum + total(batch), 0) / own.flatMap(({ exchanges }) => exchanges).length;
  const rounds = [...new Set(own.map(({ round }) => round))];
  const ratio = (percentile: number) => (sample: readonly number[]): number => {
    const of = (which: Ends): number[] => sample.flatMap((round) => timesOf(askedOf(batches.filter((batch) => batch.round === round && batch.ends === which))));
    return quantile(of(ends), percentile) / quantile(of('none'), percentile);
  };
  const samples = askedOf(own);
  const random = seededRandom(seed);
  return {
    ...condition, exchanges: samples.length, failures: samples.filter(({ failed }) => failed !== undefined).length,
    percentilesMs: PERCENTILES.map((percentile) => quantile(timesOf(samples), percentile)),
    ratios: ends === 'none' || !batches.some((batch) => batch.ends === 'none') ? null : PERCENTILES.map((percentile) => bootstrap(rounds, ratio(percentile), random)),
    copiesPerExchange: per(({ copies }) => copies),
    copyBytesPerExchange: per(({ copyBytes }) => copyBytes),
  };
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly SummaryRow[], head: readonly string[]): string {
  const cells = rows.map(({ kind, server, ends, exchanges, failures, percentilesMs, ratios, copiesPerExchange, copyBytesPerExchange }) => [
    kind, server, ends, String(exchanges), String(failures),
    ...percentilesMs.map((ms) => ms.toFixed(0)),
    ...(ratios ?? [null, null, null]).map((ratio) => (ratio === null ? '–' : estimateText(ratio))),
    copiesPerExchange.toFixed(1), copyBytesPerExchange.toFixed(0),
  ]);
  const columns = ['exchange', 'server', 'driver at', 'n', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'p50 ratio', 'p95 ratio', 'p99 ratio', 'copies each', 'bytes of them'];
  return documentText(head, columns, cells);
}
