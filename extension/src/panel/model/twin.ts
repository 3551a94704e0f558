import { areAlike, type KeptLink } from '../../settings/keptLink.ts';
import type { MeasuredLoad, MeasuredPage } from '../../settings/measuredPages.ts';
import type { LoadRecord, Twin } from './loadRecord.ts';

/**
 * Null where there is nothing to compare with.
 *
 * @param seen of the same page in this panel, helped where this one is not
 * @param measured of the same page; it has no load with Firstscreen that one without could be compared with
 */
export function twinOf({ isHelped, links }: Pick<LoadRecord, 'isHelped' | 'links'>, seen: MeasuredLoad | null, measured: MeasuredPage | null): Twin | null {
  if (seen !== null) return { kind: 'seen', isHelped: isHelped === false, load: seen };
  if (isHelped !== true || measured === null) return null;
  const { stock, atMs, link, pairs } = measured;
  if (stock === null || link === null) return null;
  return { kind: 'measured', load: stock, atMs, link, loads: pairs, isThisLink: areAlike(link, linkOf(links)) };
}

/** As it was seen last; null while nobody has measured it. */
export function linkOf(links: LoadRecord['links']): KeptLink | null {
  const sample = links.findLast(({ isMeasured }) => isMeasured);
  return sample === undefined ? null : { rateBitsPerSecond: sample.rateBitsPerSecond, rttMs: sample.rttMs };
}
