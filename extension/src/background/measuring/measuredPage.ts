import { sharesOfBytes } from '../../../../shared/src/waterfall/timeShares.ts';
import { resultOf } from '../../measure/result.ts';
import type { CountedLoad, Measurement } from '../../messages/measuring.ts';
import type { KeptLink } from '../../settings/keptLink.ts';
import { nameOf, type MeasuredLoad, type MeasuredPage } from '../../settings/measuredPages.ts';

/** What is kept of a measurement; null while it runs, where too few pairs of it count, and of a page of which nothing is kept. */
export function measuredPageOf({ url, phase, counted, options: { visit, isCold } }: Measurement, link: KeptLink | null, nowMs: number): MeasuredPage | null {
  const page = nameOf(url);
  if (phase.name !== 'ended' || page === null) return null;
  const { verdict: { n, shows, ratio }, mediansMs } = resultOf(counted);
  return shows === 'tooFew' ? null : { page, atMs: nowMs, link, visit, isCold, pairs: n, shows, ratio, mediansMs, stock: stockLoad(counted, link) };
}

/** The load in the middle is one that was, which a mean of several is not. */
function stockLoad(counted: readonly CountedLoad[], link: KeptLink | null): MeasuredLoad | null {
  const loads = counted.filter(({ side }) => side === 'without').toSorted((a, b) => a.isrtMs - b.isrtMs);
  const middle = loads[Math.floor((loads.length - 1) / 2)];
  if (middle === undefined || link === null) return null;
  const { isrtMs, carried: { neededBytes, otherBytes } } = middle;
  return { firstScreenMs: isrtMs, shares: sharesOfBytes(isrtMs, neededBytes, otherBytes, link.rateBitsPerSecond) };
}
