export const DAY_MS = 24 * 3600 * 1000;

/**
 * Until when a browser is taken to have an object in its cache: before these days, in days since 1970 of the wall clock.
 * No more is kept of the time than that, for it tells when somebody was where.
 */
export interface CachedUntil {
  /** It uses the object, or asks with a validator whether it has changed. */
  readonly keptDay: number;
  /** It uses the object without asking. */
  readonly freshDay: number;
}

/**
 * Rounded down to days. Times are milliseconds of the wall clock.
 *
 * @returns null where it is less than a day
 */
export function cachedUntil(nowMs: number, keptMs: number, freshMs: number): CachedUntil | null {
  return keptMs - nowMs < DAY_MS ? null : { keptDay: dayOf(keptMs), freshDay: dayOf(freshMs) };
}

export function dayOf(ms: number): number {
  return Math.max(0, Math.floor(ms / DAY_MS));
}
