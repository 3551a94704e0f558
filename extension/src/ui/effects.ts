/**
 * What was measured of each capability: every number that the extension's own pages tell, and no other. They are those
 * of docs/results (effects.test.ts compares them); who writes a new result there changes them here.
 */

/** Of how long first screens take, with and without. */
export interface Effect {
  /** Median over pages; less than 1 is sooner. */
  readonly ratio: number;
  /** Bootstrap 95 % interval of it; null where none was made. */
  readonly interval: readonly [from: number, to: number] | null;
  readonly pages: number;
  /** Of loads, with and without, for each page. */
  readonly pairs: number;
  /** Pages that took more than 1.03. */
  readonly later: number;
}

/** The emulated link of these effects, 3g-fast (docs/link.md); recorded pages. */
export const LINK = { megabitsPerSecond: 1.6, rttMs: 150 };

/** docs/results/firefox.md: the extension alone. */
export const FIREFOX: Effect = { ratio: 0.94, interval: [0.81, 0.98], pages: 38, pairs: 1, later: 3 };
/** docs/results/first-visits.md: Chromium with the extension by policy. */
export const BY_POLICY: Effect = { ratio: 1, interval: null, pages: 39, pairs: 1, later: 14 };
/** The same, by the helper's connections, encrypted ones closed to it. */
export const BY_TUNNEL: Effect = { ratio: 0.98, interval: [0.91, 1.01], pages: 39, pairs: 1, later: 11 };
/** The same, encrypted ones opened. */
export const BY_INTERCEPTION: Effect = { ratio: 0.97, interval: [0.76, 1.02], pages: 39, pairs: 3, later: 11 };
/** docs/results/second-visits.md: with the memory, and encrypted connections opened. */
export const SECOND_VISITS: Effect = { ratio: 0.67, interval: [0.55, 0.72], pages: 39, pairs: 3, later: 0 };

/** docs/results/fast-link.md: 100 Mbit/s; how much later a browser's first page comes with the helper, and those after it. */
export const FAST_LINK = { firstPageMs: 90, laterPagesMs: 20 };

/** docs/adr/0043: from the click to the first contentful paint, two pages of our own, the best case. */
export const NEXT_PAGE = { withoutMs: 634, withMs: 97 };

/** docs/results/driver.md, the trial after ADR 28: small plain exchanges over wwan; of the time in which all but the slowest twentieth end. */
export const DRIVER = { lossPercent: 8, ratio: 0.56, interval: [0.36, 0.59], medianRatio: 1, exchanges: 120 } as const;
