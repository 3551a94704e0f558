import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, quantile, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText, mbitPerSecond, mean, pairsOf, ratioOfTotals, runsOn, total } from '../../driver/comparison.ts';
import type { Way } from '../plan.ts';
import type { SideResult } from './plan.ts';

/** What a comparison is made on. */
export interface Condition {
  readonly rttMs: number;
  readonly loss: number;
  readonly congestion: string;
}

export interface FairnessRun extends Condition, SideResult {
  readonly way: Way;
  /** The same for both ways of a pair. */
  readonly round: number;
}

/** How the file shared the bottleneck with the plain flow. */
export interface Share {
  /** Of all that the link brought; the mean of rounds, its interval by resampling them. */
  readonly mean: Estimate;
  /** The 10th and 90th percentile of single seconds. */
  readonly seconds: readonly [number, number];
}

export interface FairnessRow extends Condition {
  readonly rounds: number;
  readonly shares: Readonly<Record<Way, Share>>;
  /** Mbit/s of both together, in the mean. */
  readonly totals: Readonly<Record<Way, number>>;
  /** Packets that the queue dropped: with FWP to without. */
  readonly drops: Estimate;
  readonly congested: number;
}

const LOW = 0.1;
const HIGH = 0.9;

/** A row for each condition. Pure. */
export function summarize(runs: readonly FairnessRun[], conditions: readonly Condition[], seed: number): FairnessRow[] {
  return conditions.map((condition) => {
    const of = (way: Way): FairnessRun[] => runsOn(runs, { ...condition, way }).toSorted((a, b) => a.round - b.round);
    const [stock, fwp] = [of('stock'), of('fwp')];
    const pairs = pairsOf(fwp, stock, ({ link }) => link.down.dropsQueue);
    return {
      ...condition, rounds: pairs.length,
      shares: { stock: shareOf(stock, seed), fwp: shareOf(fwp, seed) },
      totals: { stock: mean(stock.map(throughput)), fwp: mean(fwp.map(throughput)) },
      drops: ratioOfTotals(pairs, seed),
      congested: total(fwp.map((run) => run.fwp?.congested ?? 0)),
    };
  });
}

function shareOf(runs: readonly FairnessRun[], seed: number): Share {
  const seconds = runs.flatMap((run) => run.seconds.filter(({ file, plain }) => file + plain > 0).map(({ file, plain }) => file / (file + plain)));
  const whole = (run: FairnessRun): number => total(run.seconds.map(({ file }) => file)) / total(run.seconds.map(({ file, plain }) => file + plain));
  return { mean: bootstrap(runs, (sample) => mean(sample.map(whole)), seededRandom(seed)), seconds: [quantile(seconds, LOW), quantile(seconds, HIGH)] };
}

function throughput({ seconds }: FairnessRun): number {
  return mbitPerSecond(total(seconds.map(({ file, plain }) => file + plain)), seconds.length);
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly FairnessRow[], head: readonly string[]): string {
  const cells = rows.map(({ rttMs, loss, congestion, rounds, shares, totals, drops, congested }) => [
    String(rttMs), String(loss), congestion, String(rounds), shareText(shares.stock), shareText(shares.fwp), totals.stock.toFixed(1), totals.fwp.toFixed(1), estimateText(drops), String(congested),
  ]);
  const columns = ['RTT, ms', 'loss', 'server', 'rounds', 'share of stock', 'share of FWP', 'both, Mbit/s: stock', 'FWP', 'queue drops, ratio', 'left to TCP as congestion'];
  return documentText(head, columns, cells);
}

function shareText({ mean: { value, low, high }, seconds: [tenth, ninetieth] }: Share): string {
  const percent = (share: number): string => (share * 100).toFixed(0);
  return `${percent(value)} % [${percent(low)}, ${percent(high)}]; seconds ${percent(tenth)} to ${percent(ninetieth)}`;
}
