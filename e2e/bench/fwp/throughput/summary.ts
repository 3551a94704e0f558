import { seededRandom } from '../../../../shared/src/statistics/random.ts';
import { bootstrap, type Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText, mean, runsOn } from '../../driver/comparison.ts';
import type { Contention, Station } from './air.ts';

export interface ThroughputRun extends Contention {
  readonly seed: number;
  readonly results: readonly Station[];
}

export interface ThroughputRow extends Contention {
  readonly runs: number;
  /** Mbit/s of the station with FWP, and of one with A-MPDU in the mean. */
  readonly fwpMbit: Estimate;
  readonly ampduMbit: Estimate;
  /** How many times as much FWP has ("speedup", section VI-B). */
  readonly speedUp: Estimate;
}

const BITS_PER_MBIT = 1_000_000;

/** Runs as rows, means with the interval of resampled runs. Pure. */
export function summarize(runs: readonly ThroughputRun[], contentions: readonly Contention[], seed: number): ThroughputRow[] {
  return contentions.map((contention) => {
    const own = runsOn(runs, contention);
    const estimate = (value: (run: ThroughputRun) => number): Estimate => bootstrap(own, (sample) => mean(sample.map(value)), seededRandom(seed));
    return { ...contention, runs: own.length, fwpMbit: estimate(fwpRate), ampduMbit: estimate(ampduRate), speedUp: estimate((run) => fwpRate(run) / ampduRate(run)) };
  });
}

function fwpRate({ results }: ThroughputRun): number {
  return rate(results, 'fwp');
}

function ampduRate({ results }: ThroughputRun): number {
  return rate(results, 'ampdu');
}

function rate(stations: readonly Station[], scheme: Station['scheme']): number {
  return mean(stations.filter((station) => station.scheme === scheme).map(({ bitsPerSecond }) => bitsPerSecond / BITS_PER_MBIT));
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly ThroughputRow[], head: readonly string[]): string {
  const cells = rows.map(({ size, stations, frameErrorRate, runs, fwpMbit, ampduMbit, speedUp }) => [
    size, String(stations), String(frameErrorRate), String(runs), estimateText(fwpMbit), estimateText(ampduMbit), (ampduMbit.value / fwpMbit.value).toFixed(2), estimateText(speedUp),
  ]);
  const columns = ['window/A-MPDU, frames', 'A-MPDU stations', 'frame error rate', 'runs', 'FWP, Mbit/s', 'one A-MPDU station, Mbit/s', 'A-MPDU of FWP', 'speed-up'];
  return documentText(head, columns, cells);
}
