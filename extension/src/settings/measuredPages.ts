import * as v from 'valibot';
import { dayOf } from '../../../shared/src/memory/cachedUntil.ts';
import { isTooOld } from '../../../shared/src/memory/ageLimit.ts';
import { pageKeys } from '../../../shared/src/memory/pageKey.ts';
import type { Verdict } from '../../../shared/src/statistics/verdict.ts';
import type { TimeShares } from '../../../shared/src/waterfall/timeShares.ts';
import { VISITS, type Side, type VisitKind } from '../messages/measuring.ts';
import { withoutFragment } from '../urls/imageUrls.ts';
import { areAlike, KeptLinkSchema, type KeptLink } from './keptLink.ts';
import { MEASURED_KEY } from './settings.ts';
import { StoredList } from './storedList.ts';

/** That are kept: what was measured longest ago goes first. */
export const MAX_MEASURED = 100;

const RESULTS = ['sooner', 'later', 'nothing'] as const satisfies readonly Verdict['shows'][];

/** What *Measure this page* has shown of a page, on a link: of enough pairs. */
export interface MeasuredPage {
  /** `nameOf` it. */
  readonly page: string;
  /** By the wall clock. */
  readonly atMs: number;
  /** Null where it was not measured. */
  readonly link: KeptLink | null;
  readonly visit: VisitKind;
  readonly isCold: boolean;
  /** Pairs of loads that count. */
  readonly pairs: number;
  readonly shows: (typeof RESULTS)[number];
  readonly ratio: Verdict['ratio'];
  readonly mediansMs: Readonly<Record<Side, number>>;
  /** Of the loads without Firstscreen the one in the middle; null where the link was not measured. */
  readonly stock: MeasuredLoad | null;
}

/** One load, and where its time went. */
export interface MeasuredLoad {
  readonly firstScreenMs: number;
  readonly shares: TimeShares;
}

const ms = v.pipe(v.number(), v.finite(), v.minValue(0));
export const MeasuredLoadSchema: v.GenericSchema<unknown, MeasuredLoad> = v.strictObject({ firstScreenMs: ms, shares: v.strictObject({ neededMs: ms, wasteMs: ms, idleMs: ms }) });
const MeasuredPageSchema: v.GenericSchema<unknown, MeasuredPage> = v.strictObject({
  page: v.pipe(v.string(), v.url()),
  atMs: ms,
  link: v.nullable(KeptLinkSchema),
  visit: v.picklist(VISITS),
  isCold: v.boolean(),
  pairs: v.pipe(v.number(), v.integer(), v.minValue(1)),
  shows: v.picklist(RESULTS),
  ratio: v.strictObject({ value: ms, low: ms, high: ms }),
  mediansMs: v.strictObject({ with: ms, without: ms }),
  stock: v.nullable(MeasuredLoadSchema),
});
const MeasuredPagesSchema: v.GenericSchema<unknown, MeasuredPages> = v.pipe(v.array(MeasuredPageSchema), v.maxLength(MAX_MEASURED));

/** The one that was measured last is the last one. */
export type MeasuredPages = readonly MeasuredPage[];

/** As it is stored. */
export const storedMeasured = new StoredList(MEASURED_KEY, MeasuredPagesSchema);

/**
 * How a page is named here: without fragment. Null for one of which nothing is kept, as without its query, or what may be
 * a secret in its path, its name would be that of other pages too.
 */
export function nameOf(url: string): string | null {
  const { page } = pageKeys(url);
  return page === withoutFragment(url) ? page : null;
}

/** In place of what was measured of the same page on the same link. */
export function addMeasured(pages: MeasuredPages, measured: MeasuredPage): MeasuredPages {
  const others = pages.filter(({ page, link }) => page !== measured.page || !(areAlike(link, measured.link) || link === measured.link));
  return [...lately(others, measured.atMs), measured].slice(-MAX_MEASURED);
}

/** The latest of a page: that on this link, or else on another one. */
export function measuredOf(pages: MeasuredPages, url: string, link: KeptLink | null, nowMs: number): MeasuredPage | null {
  const name = nameOf(url);
  const ofPage = lately(pages, nowMs).filter(({ page }) => page === name);
  return ofPage.findLast((measured) => areAlike(measured.link, link)) ?? ofPage.at(-1) ?? null;
}

/** Without what is too old. */
function lately(pages: MeasuredPages, nowMs: number): MeasuredPages {
  return pages.filter(({ atMs }) => !isTooOld(dayOf(atMs), nowMs));
}

export function hostOf({ page }: MeasuredPage): string {
  return new URL(page).host;
}
