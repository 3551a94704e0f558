import { seededRandom } from '../../../shared/src/statistics/random.ts';
import { bootstrap, type Estimate } from '../../../shared/src/statistics/statistics.ts';

/** What one round gave with the driver, and without. */
export interface Pair {
  readonly with: number;
  readonly without: number;
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

const ROUNDS_OF_AN_INTERVAL = 10;

/** What the numbers in brackets are. Of fewer rounds the bootstrap has no more than the least and the greatest ones to draw from. */
export function intervalText(rounds: number): string {
  return rounds < ROUNDS_OF_AN_INTERVAL ? `[bootstrap over ${rounds} rounds, which are too few for 95 %]` : `[95 % interval, bootstrap over ${rounds} rounds]`;
}

/** As cells of a table are. */
export function estimateText({ value, low, high }: Estimate): string {
  return `${ratioText(value)} [${ratioText(low)}, ${ratioText(high)}]`;
}

/** Of a flow that moved nothing in some rounds there is no ratio. */
function ratioText(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : 'none';
}

/** Markdown. */
export function tableText(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (values: readonly string[]): string => `| ${values.join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line), ''].join('\n');
}
