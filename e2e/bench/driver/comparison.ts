import { seededRandom } from '../../../shared/src/statistics/random.ts';
import { bootstrap, median, type Estimate } from '../../../shared/src/statistics/statistics.ts';
import { tableLines } from '../../report/markdown.ts';

/** What one round gave with the driver, and without. */
export interface Pair {
  readonly with: number;
  readonly without: number;
}

/** Runs on a condition: with all of its values. Pure. */
export function runsOn<Condition extends object, Run extends Condition>(runs: readonly Run[], condition: Condition): Run[] {
  const names = Object.keys(condition) as (keyof Condition)[];
  return runs.filter((run) => names.every((name) => run[name] === condition[name]));
}

/** What two runs of the same round gave; rounds in which one is missing, or gave null, are left out. Pure. */
export function pairsOf<Run extends { readonly round: number }>(having: readonly Run[], lacking: readonly Run[], value: (run: Run) => number | null): Pair[] {
  return having.flatMap((run) => {
    const other = lacking.find(({ round }) => round === run.round);
    const [own, others] = [value(run), other === undefined ? null : value(other)];
    return own === null || others === null ? [] : [{ with: own, without: others }];
  });
}

/** The median of the pairs' ratios; its interval by resampling pairs. Pure. */
export function medianRatio(pairs: readonly Pair[], seed: number): Estimate {
  return bootstrap(pairs, (sample) => median(sample.map((pair) => pair.with / pair.without)), seededRandom(seed));
}

/** The ratio of the totals; its interval by resampling rounds. Pure. */
export function ratioOfTotals(pairs: readonly Pair[], seed: number): Estimate {
  return bootstrap(pairs, (sample) => total(sample.map((pair) => pair.with)) / total(sample.map((pair) => pair.without)), seededRandom(seed));
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function mean(values: readonly number[]): number {
  return total(values) / values.length;
}

const BITS_PER_BYTE = 8;
const BITS_PER_MBIT = 1_000_000;

export function mbitPerSecond(bytes: number, seconds: number): number {
  return (bytes * BITS_PER_BYTE) / BITS_PER_MBIT / seconds;
}

const ROUNDS_OF_AN_INTERVAL = 10;

/** What the numbers in brackets are. Of fewer rounds the bootstrap has no more than the least and the greatest ones to draw from. */
export function intervalText(rounds: number): string {
  return `In brackets: ${rounds < ROUNDS_OF_AN_INTERVAL ? `bootstrap over ${rounds} rounds, which are too few for 95 %` : `95 % intervals, bootstrap over ${rounds} rounds`}.`;
}

/** As cells of a table are. */
export function estimateText({ value, low, high }: Estimate, text = ratioText): string {
  return `${text(value)} [${text(low)}, ${text(high)}]`;
}

/** Of a flow that moved nothing in some rounds there is no ratio. */
function ratioText(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : 'none';
}

/** Markdown, for docs/results: what was measured, and a row for each result. */
export function documentText(head: readonly string[], columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [...head.flatMap((text) => [text, '']), tableText(columns, rows)].join('\n');
}

/** Markdown. */
export function tableText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [...tableLines(columns, rows), ''].join('\n');
}
