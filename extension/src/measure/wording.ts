import { MIN_PAIRS, pairsToShow } from '../../../shared/src/statistics/verdict.ts';
import type { DropReason, EndReason, Measurement, Refusal, Side } from '../messages/measuring.ts';
import { changeText, fromSmaller } from '../ui/changeText.ts';
import { formatMegabytes, formatNumber, formatPercent, formatSeconds } from '../ui/format.ts';
import { t } from '../ui/texts.ts';
import { bytesToCome, progressOf } from './progress.ts';
import type { MeasuringResult } from './result.ts';

/** A difference that a person may notice. */
const NOTICED = 0.05;
const MS_PER_MINUTE = 60_000;

export const SIDE_TEXTS: Readonly<Record<Side, () => string>> = { with: () => t('measureWith'), without: () => t('measureWithout') };

const REFUSALS: Readonly<Record<Refusal, () => string>> = {
  notWeb: () => t('measureRefusedNotWeb'),
  private: () => t('measureRefusedPrivate'),
  posted: () => t('measureRefusedPosted'),
  off: () => t('measureRefusedOff'),
  siteOff: () => t('measureRefusedSiteOff'),
  noAccess: () => t('measureRefusedNoAccess'),
  paused: () => t('measureRefusedPaused'),
  running: () => t('measureRefusedRunning'),
  metered: () => t('measureRefusedMetered'),
};

const ENDS: Readonly<Record<EndReason, () => string>> = {
  complete: () => t('measureEndComplete'),
  cancelled: () => t('measureEndCancelled'),
  tabClosed: () => t('measureEndTabClosed'),
  settingsChanged: () => t('measureEndSettings'),
  networkChanged: () => t('measureEndNetwork'),
  noRest: () => t('measureEndNoRest'),
  timeLimit: () => t('measureEndTimeLimit'),
  posted: () => t('measureRefusedPosted'),
  notBegun: () => t('measureEndNotBegun'),
  unmeasurable: () => t('measureEndUnmeasurable'),
};

const DROPS: Readonly<Record<DropReason, () => string>> = {
  first: () => t('measureDropFirst'),
  timeout: () => t('measureDropTimeout'),
  redirected: () => t('measureDropRedirected'),
  failed: () => t('measureDropFailed'),
  warm: () => t('measureDropWarm'),
  otherTraffic: () => t('measureDropOtherTraffic'),
  notInForce: () => t('measureDropNotInForce'),
  scriptEnded: () => t('measureDropScriptEnded'),
  ended: () => t('measureDropEnded'),
  hidden: () => t('measureDropHidden'),
  scrolled: () => t('measureDropScrolled'),
  used: () => t('measureDropUsed'),
  left: () => t('measureDropLeft'),
  unpainted: () => t('measureDropUnpainted'),
  incomplete: () => t('measureDropIncomplete'),
};

export function refusalText(refusal: Refusal): string {
  return REFUSALS[refusal]();
}

/** Each load in their order, with its pair, its side, and how long it took or why it does not count. */
export function loadRows({ counted, dropped }: Pick<Measurement, 'counted' | 'dropped'>): { readonly isCounted: boolean; readonly cells: readonly [load: number, pair: number, side: string, outcome: string] }[] {
  return [
    ...counted.map(({ load, pair, side, isrtMs }) => ({ isCounted: true, cells: [load, pair, SIDE_TEXTS[side](), formatSeconds(isrtMs)] as const })),
    ...dropped.map(({ load, pair, side, reason }) => ({ isCounted: false, cells: [load, pair, SIDE_TEXTS[side](), DROPS[reason]()] as const })),
  ].toSorted(({ cells: [one] }, { cells: [other] }) => one - other);
}

/** What a measurement is doing, or how it ended. */
export function phaseText(measurement: Measurement): string {
  const { phase, plan, isSeen } = measurement;
  switch (phase.name) {
    case 'ended':
      return ENDS[phase.why]();
    case 'opening':
      return t('measureOpening');
    case 'asking': {
      const bytes = bytesToCome(measurement);
      return bytes === null ? t('measureAsksUnknown') : t('measureAsks', formatMegabytes(bytes));
    }
    default: {
      if (!isSeen) return t('measureShowTab');
      const side = SIDE_TEXTS[plan[phase.place]?.side ?? 'with']();
      const { load, of } = progressOf(measurement, 0) ?? { load: 0, of: 0 };
      return t('measureLoading', load, of, side);
    }
  }
}

/** How long it takes still, and what that costs, as far as it is known. */
export function leftText(measurement: Measurement, nowMs: number): string {
  const leftMs = progressOf(measurement, nowMs)?.leftMs ?? null;
  // the question has named them
  const bytes = measurement.phase.name === 'asking' ? null : bytesToCome(measurement);
  const time = leftMs === null ? '' : leftMs < MS_PER_MINUTE ? t('measureLeftSoon') : t('measureLeft', formatNumber(Math.ceil(leftMs / MS_PER_MINUTE)));
  return [time, bytes === null ? '' : t('measureBytesLeft', formatMegabytes(bytes))].filter((text) => text !== '').join(' ');
}

/** What is measured so, and how it is less than the benchmark's. */
export function meaningText({ options }: Measurement): string {
  return `${t('measureDiffers')} ${options.isCold ? t('measureBeganCold') : t('measureBeganWarm')}`;
}

/** What the loads show, in a few words. */
export function verdictText({ verdict: { n, ratio, shows } }: MeasuringResult): string {
  if (n === 0) return t('measureShownNone');
  if (shows === 'tooFew') return t('measureTooFew', n, MIN_PAIRS);
  return shows === 'nothing' ? t('measureNothing') : t('measureShown', changeText(ratio.value));
}

/** The times behind that, and how sure it is; nothing where nothing was measured. */
export function verdictDetail({ verdict, mediansMs }: MeasuringResult): string {
  const { n, ratio, shows } = verdict;
  if (n === 0) return '';
  const times = t('measureTimes', formatSeconds(mediansMs.with), formatSeconds(mediansMs.without));
  const [from, to] = fromSmaller(ratio);
  const between = t('measureBetween', changeText(from), changeText(to));
  switch (shows) {
    case 'tooFew':
      return times;
    case 'nothing': {
      const more = pairsToShow(verdict, NOTICED);
      return `${times} ${between} ${more === 0 ? t('measureWouldShow', formatPercent(NOTICED)) : t('measureMore', more, formatPercent(NOTICED))}`;
    }
    default:
      return `${times} ${between}`;
  }
}
