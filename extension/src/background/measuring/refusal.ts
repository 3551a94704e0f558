import type { Refusal } from '../../messages/measuring.ts';

/** What decides whether a page is measured. */
export interface MeasuringCircumstances {
  /** Of the page; undefined where the browser does not tell. */
  readonly url: string | undefined;
  /** Neither of a private window nor of a container. */
  readonly isOrdinary: boolean;
  /** Whether it was asked for by sending something. */
  readonly wasPosted: boolean;
  readonly isEnabled: boolean;
  /** Whether it is off for the page's site. */
  readonly isSiteOff: boolean;
  readonly hasAccess: boolean;
  /** Whether requests of all tabs go without it, as some page is loaded without it once. */
  readonly isPaused: boolean;
  readonly isRunning: boolean;
  /** Whether bytes cost, as far as the browser tells, or the user saves them. */
  readonly isMetered: boolean;
  /** Whether the user lets them be spent. */
  readonly maySpend: boolean;
}

/** Why a page is not measured; null when it may be. */
export function refusalOf({ url, isOrdinary, wasPosted, isEnabled, isSiteOff, hasAccess, isPaused, isRunning, isMetered, maySpend }: MeasuringCircumstances): Refusal | null {
  if (url === undefined || !/^https?:\/\//.test(url)) return 'notWeb';
  if (!isOrdinary) return 'private';
  if (wasPosted) return 'posted';
  if (!isEnabled) return 'off';
  if (isSiteOff) return 'siteOff';
  if (!hasAccess) return 'noAccess';
  if (isPaused) return 'paused';
  if (isRunning) return 'running';
  return isMetered && !maySpend ? 'metered' : null;
}
