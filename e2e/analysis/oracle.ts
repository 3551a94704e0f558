import { median } from '../../shared/src/statistics/statistics.ts';

/** At a second visit, with everything known beforehand: name, connection, TLS and the first byte of a 3G link. */
const SECOND_VISIT_IDLE_MS = 600;

/** Stock's load of a page or of a journey, and the ratio of a scheme to it. */
export interface OraclePage {
  /** Pages of the load: 1, or more of a journey, whose times are sums. */
  readonly pages: number;
  readonly isrtMs: number;
  readonly neededMs: number;
  readonly wasteMs: number;
  readonly ratio: number | null;
}

/**
 * What no order of requests and no foresight can beat without a far end, as medians over pages and as ratios to stock. NaN
 * without a page.
 */
export interface Oracle {
  /** At a first visit: stock's idle time, and nothing that the first screen does not need. */
  readonly first: number;
  /** At a second one: what is needed, and 0.6 s of idle time a page. Pages that are fetched before they are asked for can beat it. */
  readonly second: number;
  /** Of the gain that is possible at a first visit, the share that the scheme has; over 1 where it has taken idle time too. */
  readonly reached: number;
}

/** @param pages those without a pair are passed over */
export function oracle(pages: readonly OraclePage[]): Oracle {
  const measured = pages.flatMap((page) => (page.ratio === null || !(page.isrtMs > 0) ? [] : [{ ...page, ratio: page.ratio }]));
  const first = median(measured.map(({ isrtMs, wasteMs }) => 1 - wasteMs / isrtMs));
  return {
    first,
    second: median(measured.map((page) => Math.min(1, (page.neededMs + SECOND_VISIT_IDLE_MS * page.pages) / page.isrtMs))),
    reached: (1 - median(measured.map(({ ratio }) => ratio))) / (1 - first),
  };
}

/** In words, for a table. */
export function oracleLine(pages: readonly OraclePage[]): string {
  const { first, second, reached } = oracle(pages);
  const share = Number.isFinite(reached) ? `; ${Math.round(100 * reached)} % of the first gain reached` : '';
  return `Oracle: ${first.toFixed(3)} of stock without waste, ${second.toFixed(3)} with what is needed and 0.6 s a page${share}`;
}
