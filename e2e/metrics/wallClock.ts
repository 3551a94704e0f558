import { NS_PER_MS } from '../analysis/arrival.ts';

/** A wall-clock moment and the same moment on CLOCK_MONOTONIC. */
export interface ClockSample {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** CLOCK_MONOTONIC, the clock of the link, of the hosting and of every other process of this machine. */
export function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

export function monotonicMs(): number {
  return monotonicNs() / NS_PER_MS;
}

/** Samples both clocks at a tick of the wall clock, which Node tells in whole milliseconds only. Spins for at most 1 ms. */
export function sampleClocks(): ClockSample {
  const before = Date.now();
  for (;;) {
    const wallMs = Date.now();
    if (wallMs !== before) return { wallMs, monotonicMs: monotonicMs() };
  }
}

/** Wall clock to CLOCK_MONOTONIC by the line through two samples, so that a clock being slewed does no harm. */
export function wallToMonotonic(before: ClockSample, after: ClockSample, wallMs: number): number {
  const span = after.wallMs - before.wallMs;
  const rate = span > 0 ? (after.monotonicMs - before.monotonicMs) / span : 1;
  return before.monotonicMs + (wallMs - before.wallMs) * rate;
}
