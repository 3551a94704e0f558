import * as v from 'valibot';
import { median } from '../../../shared/src/statistics/statistics.ts';
import type { Side } from '../messages/measuring.ts';
import { areAlike, KeptLinkSchema, type KeptLink } from './keptLink.ts';
import { HISTORY_KEY } from './settings.ts';
import { StoredList } from './storedList.ts';

/** Sites that are kept: what was not visited for longest goes first. */
export const MAX_SITES = 200;
/** Of a site, on each side: what is older tells of what the site was. */
export const MAX_VISITS = 30;
/** Longest name (RFC 1035, section 2.3.4) with a port. */
const MAX_HOST_CHARS = 261;

/** One visit: no address of a page, and of the time only the day. */
export interface Visit {
  readonly isrtMs: number;
  /** Since 1970. */
  readonly day: number;
  /** Null where it was not measured. */
  readonly link: KeptLink | null;
}

/** Of the visits to a site the latest last. */
interface SiteHistory extends Readonly<Record<Side, readonly Visit[]>> {
  readonly host: string;
}

/** The site that was visited last is the last one. */
export type VisitHistory = readonly SiteHistory[];

/** Of one side. */
export interface SideSummary {
  readonly visits: number;
  readonly medianMs: number;
  /** Of the oldest of these visits. */
  readonly sinceDay: number;
}

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const visits = v.pipe(v.array(v.strictObject({ isrtMs: whole, day: whole, link: v.nullable(KeptLinkSchema) })), v.maxLength(MAX_VISITS));
const HistorySchema: v.GenericSchema<unknown, VisitHistory> = v.pipe(
  v.array(v.strictObject({ host: v.pipe(v.string(), v.maxLength(MAX_HOST_CHARS)), with: visits, without: visits })),
  v.maxLength(MAX_SITES),
);

/** As it is stored. */
export const storedHistory = new StoredList(HISTORY_KEY, HistorySchema);

export function addVisit(history: VisitHistory, host: string, side: Side, visit: Visit): VisitHistory {
  const site = history.find((known) => known.host === host) ?? { host, with: [], without: [] };
  const visited = { ...site, [side]: [...site[side], { ...visit, isrtMs: Math.round(visit.isrtMs) }].slice(-MAX_VISITS) };
  return [...history.filter((known) => known.host !== host), visited].slice(-MAX_SITES);
}

/**
 * Null for a side of which no visit is kept.
 *
 * @param link of which visits alone count; without it those on any link
 */
export function summaryOf(history: VisitHistory, host: string, link?: KeptLink | null): Readonly<Record<Side, SideSummary | null>> {
  const site = history.find((known) => known.host === host);
  const of = (side: Side): SideSummary | null => {
    const made = (site?.[side] ?? []).filter((visit) => link === undefined || areAlike(visit.link, link));
    return made.length === 0 ? null : { visits: made.length, medianMs: median(made.map(({ isrtMs }) => isrtMs)), sinceDay: Math.min(...made.map(({ day }) => day)) };
  };
  return { with: of('with'), without: of('without') };
}
