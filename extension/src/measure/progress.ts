import type { Measurement } from '../messages/measuring.ts';

export interface Progress {
  /** The load that it is at, from 1. */
  readonly load: number;
  readonly of: number;
  /** Null before there is something to go by. */
  readonly leftMs: number | null;
}

/** How far a measurement is; null when it is over, or has not begun. */
export function progressOf({ phase, plan, startedMs, waitedMs }: Measurement, nowMs: number): Progress | null {
  if (phase.name === 'opening' || phase.name === 'ended') return null;
  const { place, sinceMs } = phase;
  const workedMs = (phase.name === 'asking' ? sinceMs : nowMs) - startedMs - waitedMs;
  const leftMs = place === 0 ? null : (workedMs / place) * (plan.length - place);
  return { load: Math.min(place + 1, plan.length), of: plan.length, leftMs };
}

/** What the loads that are still to come will cost, as the last one did; null while no load has told. */
export function bytesToCome({ phase, plan, bytesPerLoad }: Measurement): number | null {
  if (phase.name === 'opening' || phase.name === 'ended' || bytesPerLoad === null) return null;
  return bytesPerLoad * (plan.length - phase.place);
}
