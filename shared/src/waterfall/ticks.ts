const STEPS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 36_000_000];

/** Round moments of a time axis between these two, so far apart that there are no more than `most`. */
export function ticks(fromMs: number, toMs: number, most: number): number[] {
  const step = STEPS_MS.find((ms) => (toMs - fromMs) / ms <= most) ?? (toMs - fromMs) / most;
  const first = Math.ceil(fromMs / step);
  return Array.from({ length: Math.max(0, Math.floor(toMs / step) - first + 1) }, (_, place) => (first + place) * step);
}
