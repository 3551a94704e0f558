import { median, quantile } from '../../../shared/src/statistics/statistics.ts';

/** One line of the micro-benchmark. */
export interface Measurement {
  readonly name: string;
  /** How it was measured, for who doubts the number. */
  readonly method: string;
  readonly samplesMs: readonly number[];
  /** The median must be below; null for a number that is shown for itself. */
  readonly targetMs: number | null;
}

export interface Verdict {
  readonly name: string;
  readonly method: string;
  readonly n: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly targetMs: number | null;
  readonly verdict: 'met' | 'missed' | 'no target';
}

export function judge({ name, method, samplesMs, targetMs }: Measurement): Verdict {
  const medianMs = median(samplesMs);
  // a measurement without samples has a median of NaN, which misses
  const verdict = targetMs === null ? 'no target' : medianMs < targetMs ? 'met' : 'missed';
  return { name, method, n: samplesMs.length, medianMs, p95Ms: quantile(samplesMs, P95), targetMs, verdict };
}

const P95 = 0.95;
