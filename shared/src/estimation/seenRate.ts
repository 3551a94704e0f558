/** Bytes that came over the link after `fromMs` and by `toMs`, whenever in between they were handed over. */
export interface Arrival {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bytes: number;
}

/** A round trip that is not known exactly is a great part of a shorter time. */
const MIN_SPAN_MS = 500;
const BITS_PER_BYTE = 8;
const MS_PER_SECOND = 1_000;

/**
 * The highest rate, in bits a second, at which the link was seen to carry something; null where less than `minBytes` came
 * together. Arrivals that lie in a span of time as a whole were carried in it, however they were handed over (what waits
 * for a lost packet comes at a stroke when that is there): so the link is at least as fast as they over the span, and of
 * all spans the best one counts. It is as fast as that where something was always under way, and faster where not.
 */
export function seenRate(arrivals: readonly Arrival[], minBytes: number): number | null {
  const latestFirst = arrivals.toSorted((a, b) => b.fromMs - a.fromMs);
  let best = 0;
  for (const { toMs } of arrivals) {
    let bytes = 0;
    for (const arrival of latestFirst) {
      if (arrival.toMs > toMs) continue;
      bytes += arrival.bytes;
      if (bytes >= minBytes) best = Math.max(best, bytes / Math.max(MIN_SPAN_MS, toMs - arrival.fromMs));
    }
  }
  return best === 0 ? null : best * BITS_PER_BYTE * MS_PER_SECOND;
}
