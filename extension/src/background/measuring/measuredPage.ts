import { resultOf } from '../../measure/result.ts';
import type { Measurement } from '../../messages/measuring.ts';
import type { KeptLink } from '../../settings/keptLink.ts';
import { nameOf, type MeasuredPage } from '../../settings/measuredPages.ts';

/** What is kept of a measurement; null while it runs, where too few pairs of it count, and of a page of which nothing is kept. */
export function measuredPageOf({ url, phase, counted, options: { visit, isCold } }: Measurement, link: KeptLink | null, nowMs: number): MeasuredPage | null {
  const page = nameOf(url);
  if (phase.name !== 'ended' || page === null) return null;
  const { verdict: { n, shows, ratio }, mediansMs } = resultOf(counted);
  return shows === 'tooFew' ? null : { page, atMs: nowMs, link, visit, isCold, pairs: n, shows, ratio, mediansMs };
}
