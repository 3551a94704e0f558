const MIN_LIMIT_MS = 5;
const LIMIT_OF_RTT = 0.05;

/**
 * A link that released packets later than this (p99) was not the link of its profile.
 *
 * @param rttMs of the profile
 * @param chosenMs limit that was asked for; null for the default, which is what the link's own check allows
 */
export function latenessLimitMs(rttMs: number, chosenMs: number | null): number {
  return chosenMs ?? Math.max(MIN_LIMIT_MS, rttMs * LIMIT_OF_RTT);
}
