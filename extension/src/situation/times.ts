import { dayOf } from '../../../shared/src/memory/cachedUntil.ts';
import type { Side } from '../messages/measuring.ts';
import type { FirstScreen } from '../settings/firstScreens.ts';
import type { SideSummary } from '../settings/history.ts';
import { areAlike, keptLinkOf } from '../settings/keptLink.ts';
import type { MeasuredPage } from '../settings/measuredPages.ts';
import { changeText, fromSmaller } from '../ui/changeText.ts';
import { formatAgo, formatDaysAgo, formatPercent, formatSeconds } from '../ui/format.ts';
import { t } from '../ui/texts.ts';
import { situationOf, type PageNow, type Situation } from './situation.ts';

/** What is known of how long first screens take, of the page that is shown. */
export interface KnownTimes {
  /** Of this load. */
  readonly firstScreen: FirstScreen | null;
  /** On this link, or else on another one. */
  readonly measured: MeasuredPage | null;
  /** To the page's site, on this link. */
  readonly visits: Readonly<Record<Side, SideSummary | null>>;
}

/** What a person is told of it; empty where there is nothing to say. */
export interface TimesText {
  readonly took: string;
  readonly gain: string;
  readonly visits: string;
}

const SILENT: TimesText = { took: '', gain: '', visits: '' };

/** Of these pages nothing is known, or wanted to be. */
const UNTIMED: ReadonlySet<Situation> = new Set(['off', 'noAccess', 'closedPage', 'offHere', 'starting']);

/**
 * How long the first screen took, and what Firstscreen gains on this very link where that was measured. Nothing is reckoned
 * from what was not: another page, another link, or one side alone.
 */
export function timesText(now: PageNow, known: KnownTimes, nowMs: number): TimesText {
  if (UNTIMED.has(situationOf(now))) return SILENT;
  const link = now.status && keptLinkOf(now.status.link);
  const isOfThisLink = known.measured !== null && areAlike(known.measured.link, link);
  return {
    took: tookText(known.firstScreen),
    gain: known.measured === null ? '' : gainText(known.measured, isOfThisLink, nowMs),
    // what was measured says more, and of this very page
    visits: isOfThisLink ? '' : comparedText(known.visits, nowMs),
  };
}

function tookText(firstScreen: FirstScreen | null): string {
  if (firstScreen === null) return '';
  const time = formatSeconds(firstScreen.isrtMs);
  return firstScreen.side === 'with' ? t('popupTook', time) : t('popupTookWithout', time);
}

function gainText({ atMs, pairs, shows, ratio }: MeasuredPage, isOfThisLink: boolean, nowMs: number): string {
  const ago = formatAgo(nowMs - atMs);
  if (!isOfThisLink) return t('popupGainElsewhere', ago);
  if (shows === 'nothing') return t('popupGainNothing', ago, pairs);
  const [from, to] = fromSmaller(ratio);
  return t('popupGain', changeText(ratio.value), formatPercent(Math.abs(1 - from)), formatPercent(Math.abs(1 - to)), ago, pairs);
}

/** One side alone compares nothing. */
function comparedText(visits: KnownTimes['visits'], nowMs: number): string {
  if (visits.with === null || visits.without === null) return '';
  const sinceDay = Math.min(visits.with.sinceDay, visits.without.sinceDay);
  const ago = formatDaysAgo(Math.max(0, dayOf(nowMs) - sinceDay));
  return t('popupVisits', formatSeconds(visits.with.medianMs), visits.with.visits, formatSeconds(visits.without.medianMs), visits.without.visits, ago);
}
