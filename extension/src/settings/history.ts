import * as v from 'valibot';
import { median } from '../../../shared/src/statistics/statistics.ts';
import type { Side } from '../messages/measuring.ts';
import { HISTORY_KEY } from './settings.ts';

/** Sites that are kept: what was not visited for longest goes first. */
export const MAX_SITES = 200;
/** Of a site, on each side: what is older is of another link. */
export const MAX_VISITS = 30;
/** Longest name (RFC 1035, section 2.3.4) with a port. */
const MAX_HOST_CHARS = 261;

/** How long first screens of a site took, in milliseconds, the latest last; no addresses of pages, and no dates. */
export interface SiteHistory extends Readonly<Record<Side, readonly number[]>> {
  readonly host: string;
}

/** The site that was visited last is the last one. */
export type VisitHistory = readonly SiteHistory[];

/** Of one side. */
export interface SideSummary {
  readonly visits: number;
  readonly medianMs: number;
}

const times = v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.maxLength(MAX_VISITS));
const HistorySchema: v.GenericSchema<unknown, VisitHistory> = v.pipe(
  v.array(v.strictObject({ host: v.pipe(v.string(), v.maxLength(MAX_HOST_CHARS)), with: times, without: times })),
  v.maxLength(MAX_SITES),
);

export function addVisit(history: VisitHistory, host: string, side: Side, isrtMs: number): VisitHistory {
  const site = history.find((known) => known.host === host) ?? { host, with: [], without: [] };
  const visited = { ...site, [side]: [...site[side], Math.round(isrtMs)].slice(-MAX_VISITS) };
  return [...forgetSite(history, host), visited].slice(-MAX_SITES);
}

export function forgetSite(history: VisitHistory, host: string): VisitHistory {
  return history.filter((known) => known.host !== host);
}

/** The browser has erased these pages from its history, or with null all: of their hosts nothing is known any more. */
export function forgetVisitsTo(urls: readonly string[] | null): Promise<void> {
  const hosts = new Set(urls?.flatMap((url) => URL.parse(url)?.host ?? []));
  return changeHistory((history) => (urls === null ? [] : history.filter(({ host }) => !hosts.has(host))));
}

/** Null for a side of which no visit is kept. */
export function summaryOf(history: VisitHistory, host: string): Readonly<Record<Side, SideSummary | null>> {
  const site = history.find((known) => known.host === host);
  const of = (side: Side): SideSummary | null => (site === undefined || site[side].length === 0 ? null : { visits: site[side].length, medianMs: median(site[side]) });
  return { with: of('with'), without: of('without') };
}

/** What is stored and does not fit is not used. */
export async function readHistory(): Promise<VisitHistory> {
  const { [HISTORY_KEY]: stored } = await chrome.storage.local.get(HISTORY_KEY);
  const history = v.safeParse(HistorySchema, stored);
  return history.success ? history.output : [];
}

export function watchHistory(changed: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (HISTORY_KEY in changes) changed();
  });
}

let change: Promise<unknown> = Promise.resolve();

/** One after the other, so that no visit is lost of two that end together. */
export function changeHistory(make: (history: VisitHistory) => VisitHistory): Promise<void> {
  const done = change.then(async () => {
    const history = make(await readHistory());
    await (history.length === 0 ? chrome.storage.local.remove(HISTORY_KEY) : chrome.storage.local.set({ [HISTORY_KEY]: history }));
  });
  change = done.catch(() => undefined);
  return done;
}
