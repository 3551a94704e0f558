import { median, quantile } from '../../../shared/src/statistics/statistics.ts';

/** One line of the micro-benchmark. */
export interface Measurement {
  readonly name: string;
  /** How it was measured, for who doubts the number. */
  readonly method: string;
  readonly samplesMs: readonly number[];
  /** The median must be below. */
  readonly targetMs: number;
}

export interface Verdict extends Omit<Measurement, 'samplesMs'> {
  readonly n: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly verdict: 'met' | 'missed';
}

export function judge({ samplesMs, ...measurement }: Measurement): Verdict {
  const medianMs = median(samplesMs);
  // without samples it is NaN, which misses
  return { ...measurement, n: samplesMs.length, medianMs, p95Ms: quantile(samplesMs, P95), verdict: medianMs < measurement.targetMs ? 'met' : 'missed' };
}

const P95 = 0.95;
