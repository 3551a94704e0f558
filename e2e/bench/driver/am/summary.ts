import type { Estimate } from '../../../analysis/statistics.ts';
import type { Ends } from '../arguments.ts';
import { estimateText, mean, ratioOfTotals, tableText, total, type Pair } from '../comparison.ts';
import type { Flow } from '../transfers/plan.ts';
import { mbitPerSecond, type Transfer } from '../transfers/transfer.ts';
import type { AmOptions } from './options.ts';

export interface AmPlan {
  readonly bitErrorRate: number;
  readonly congestion: string;
  readonly ends: Ends;
  /** The same for all that is compared. */
  readonly round: number;
}

export type AmRun = AmPlan & Transfer;

const WAYS: readonly ((flow: Flow) => number)[] = [(flow) => flow.upBytes, (flow) => flow.downBytes, (flow) => flow.upBytes + flow.downBytes];

export interface AmRow extends Omit<AmPlan, 'round'> {
  readonly rounds: number;
  /** Mean Mbit/s up, down, and of both together. */
  readonly throughput: readonly number[];
  /** The same against stock ends; null for these themselves. */
  readonly ratios: readonly Estimate[] | null;
  /** Acknowledgements that went in a segment of their own, at both ends, in percent of all packets offered to the link. */
  readonly splitPercent: number;
}

/** Rounds as rows. Pure. */
export function summarize(runs: readonly AmRun[], { bitErrorRates, congestion, ends, seed }: Pick<AmOptions, 'bitErrorRates' | 'congestion' | 'ends' | 'seed'>): AmRow[] {
  return congestion.flatMap((name) => bitErrorRates.flatMap((rate) => {
    const condition = runs.filter((run) => run.congestion === name && run.bitErrorRate === rate);
    return ends.map((one) => row(condition, { congestion: name, bitErrorRate: rate, ends: one }, seed));
  }));
}

function row(condition: readonly AmRun[], plan: Omit<AmPlan, 'round'>, seed: number): AmRow {
  const own = condition.filter(({ ends }) => ends === plan.ends);
  const stock = new Map(condition.filter(({ ends }) => ends === 'none').map((run) => [run.round, run]));
  const pairs = (bytes: (flow: Flow) => number): Pair[] =>
    own.flatMap((run) => {
      const without = stock.get(run.round);
      return without === undefined ? [] : [{ with: mbitPerSecond(run.flows, bytes), without: mbitPerSecond(without.flows, bytes) }];
    });
  const packets = total(own.map(({ link }) => link.up.packets + link.down.packets));
  const split = total(own.map(({ near, far }) => (near?.programs.acknowledgementsSplit ?? 0) + (far?.programs.acknowledgementsSplit ?? 0)));
  return {
    ...plan, rounds: own.length,
    throughput: WAYS.map((bytes) => mean(own.map(({ flows }) => mbitPerSecond(flows, bytes)))),
    ratios: plan.ends === 'none' || stock.size === 0 ? null : WAYS.map((bytes) => ratioOfTotals(pairs(bytes), seed)),
    splitPercent: (100 * split) / packets,
  };
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly AmRow[], head: readonly string[]): string {
  const columns = ['TCP', 'bit errors', 'AM at', 'n', 'up Mbit/s', 'down Mbit/s', 'both Mbit/s', 'up ratio', 'down ratio', 'both ratio', 'split, % of packets'];
  const cells = rows.map(({ congestion, bitErrorRate, ends, rounds, throughput, ratios, splitPercent }) => [
    congestion, String(bitErrorRate), ends, String(rounds), ...throughput.map((rate) => rate.toFixed(2)), ...(ratios?.map(estimateText) ?? ['–', '–', '–']), splitPercent.toFixed(1),
  ]);
  return [...head.flatMap((text) => [text, '']), tableText(columns, cells)].join('\n');
}
