/** Where the time until the first screen went. The three add up to it exactly. */
export interface TimeShares {
  /** The link carried what the first screen needs. */
  readonly neededMs: number;
  /** The link carried what the first screen does not need. */
  readonly wasteMs: number;
  /** The link carried nothing. */
  readonly idleMs: number;
}

/** Binary fractions of a millisecond, so that floating-point sums are exact. */
const STEPS_PER_MS = 1_024;
const BITS_PER_BYTE = 8;
const MS_PER_SECOND = 1_000;

/**
 * A time by what the link did in it.
 *
 * @param busyMs the link carried something for so long, at its rate; more than all is all
 * @param wasteMs of these, something that is not needed
 */
export function sharesOf(totalMs: number, busyMs: number, wasteMs: number): TimeShares {
  const busy = Math.min(totalMs, busyMs);
  const idle = floorToStep(totalMs - busy);
  const waste = floorToStep(Math.min(busy, wasteMs));
  return { neededMs: totalMs - idle - waste, wasteMs: waste, idleMs: idle };
}

/** The same by what the link carried in that time, at its rate in bits a second. */
export function sharesOfBytes(totalMs: number, neededBytes: number, wastedBytes: number, rateBitsPerSecond: number): TimeShares {
  const msPerByte = (BITS_PER_BYTE * MS_PER_SECOND) / rateBitsPerSecond;
  return sharesOf(totalMs, (neededBytes + wastedBytes) * msPerByte, wastedBytes * msPerByte);
}

function floorToStep(ms: number): number {
  return Math.floor(ms * STEPS_PER_MS) / STEPS_PER_MS;
}
