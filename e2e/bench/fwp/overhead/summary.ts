import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, mean, total } from '../../driver/comparison.ts';
import type { SideResult } from '../download/plan.ts';

export interface OverheadRun extends SideResult {
  readonly frameErrorRate: number;
  readonly round: number;
}

export interface OverheadRow {
  readonly frameErrorRate: number;
  /** Rounds with a whole download at this rate and at 0. */
  readonly rounds: number;
  /** Of the bytes of the same download without losses, how much more: those that came to the link down, without what its queue dropped, which is TCP's way with every link. */
  readonly internet: Estimate;
  /** Delivered down, and up: lost frames would have been sent again by any MAC (section VI-D). */
  readonly wireless: Estimate;
  /** In the mean. */
  readonly seconds: number;
  readonly holes: number;
  readonly failed: number;
}

const MS_PER_S = 1_000;

/** A row for each rate above 0. Pure. */
export function summarize(runs: readonly OverheadRun[], seed: number): OverheadRow[] {
  const rates = [...new Set(runs.map(({ frameErrorRate }) => frameErrorRate))].filter((rate) => rate > 0).toSorted((a, b) => a - b);
  return rates.map((frameErrorRate) => {
    const own = runs.filter((run) => run.frameErrorRate === frameErrorRate);
    const whole = own.filter(({ ms }) => ms !== null);
    const pairs = whole.flatMap((run) => runs.filter((other) => other.frameErrorRate === 0 && other.round === run.round && other.ms !== null).map((without) => ({ run, without })));
    const estimate = (bytes: (run: OverheadRun) => number): Estimate => bootstrap(pairs, (sample) => mean(sample.map(({ run, without }) => bytes(run) / bytes(without) - 1)), seededRandom(seed));
    return {
      frameErrorRate, rounds: pairs.length,
      internet: estimate(carriedTo),
      wireless: estimate(({ link }) => link.down.deliveredBytes + link.up.bytes),
      seconds: mean(whole.map(({ ms }) => (ms ?? 0) / MS_PER_S)),
      holes: total(own.map(({ fwp }) => fwp?.holes ?? 0)),
      failed: own.length - whole.length,
    };
  });
}

/** Packets that are dropped are as long as others. */
function carriedTo({ link: { down } }: OverheadRun): number {
  return down.bytes * (1 - down.dropsQueue / down.packets);
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly OverheadRow[], head: readonly string[]): string {
  const cells = rows.map(({ frameErrorRate, rounds, internet, wireless, seconds, holes, failed }) => [
    String(frameErrorRate), String(rounds), percentText(internet), `${(100 * frameErrorRate / (1 - frameErrorRate)).toFixed(1)} %`, percentText(wireless), seconds.toFixed(1), String(holes), String(failed),
  ]);
  return documentText(head, ['frame error rate', 'rounds', 'Internet path', 'FER / (1 - FER)', 'wireless hop', 'seconds', 'holes', 'failed'], cells);
}

function percentText({ value, low, high }: Estimate): string {
  const percent = (share: number): string => (100 * share).toFixed(1);
  return `${percent(value)} % [${percent(low)}, ${percent(high)}]`;
}
