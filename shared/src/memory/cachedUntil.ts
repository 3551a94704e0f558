export const DAY_MS = 24 * 3600 * 1000;

/** Names a profile of a browser, each of which has a cache of its own: random, made by the extension. */
export const PROFILE = /^[\w-]{1,64}$/;

/** In days since 1970 of the wall clock. No more is kept of the time than that, for it tells when somebody was where. */
interface Days {
  /** It uses the object, or asks with a validator whether it has changed. */
  readonly keptDay: number;
  /** It uses the object without asking. */
  readonly freshDay: number;
}

/** Before which days a browser is taken to have an object in its cache. */
export interface CachedUntil extends Days {
  /** Whose cache it is. */
  readonly profile: string;
}

/**
 * Rounded down to days. Times are milliseconds of the wall clock.
 *
 * @returns null where it is less than a day
 */
export function cachedUntil(nowMs: number, keptMs: number, freshMs: number): Days | null {
  return keptMs - nowMs < DAY_MS ? null : { keptDay: dayOf(keptMs), freshDay: dayOf(freshMs) };
}

export function dayOf(ms: number): number {
  return Math.max(0, Math.floor(ms / DAY_MS));
}
