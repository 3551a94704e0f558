import type { Measurement } from '../messages/measuring.ts';
import { t } from '../ui/texts.ts';
import type { MeasuringResult } from './result.ts';
import { loadRows, meaningText, phaseText, verdictDetail, verdictText } from './wording.ts';

/** Raised when a field changes its meaning. */
const EXPORT_VERSION = 1;

/** What is known of the browser that measured. */
export interface MeasuredBy {
  readonly extensionVersion: string;
  readonly browser: string;
}

/** A measurement as it is given to programs; docs/benchmarks.md has its fields. */
export interface MeasurementExport extends MeasuredBy {
  readonly version: typeof EXPORT_VERSION;
  /** Without query and fragment. */
  readonly url: string;
  readonly startedAt: string;
  readonly pairs: number;
  readonly visit: Measurement['options']['visit'];
  readonly isCold: boolean;
  readonly ended: string;
  readonly shows: MeasuringResult['verdict']['shows'];
  readonly pairsCounted: number;
  /** Null where nothing was measured. */
  readonly ratio: { readonly value: number; readonly low: number; readonly high: number } | null;
  readonly ratios: readonly number[];
  readonly counted: Measurement['counted'];
  readonly dropped: Measurement['dropped'];
}

export function exportOf({ url, startedMs, options, phase, counted, dropped }: Measurement, { ratios, verdict }: MeasuringResult, by: MeasuredBy): MeasurementExport {
  return {
    version: EXPORT_VERSION, ...by, url: withoutQuery(url), startedAt: new Date(startedMs).toISOString(), ...options, ended: phase.name === 'ended' ? phase.why : phase.name,
    shows: verdict.shows, pairsCounted: verdict.n, ratio: verdict.n === 0 ? null : verdict.ratio, ratios, counted, dropped,
  };
}

/** The same for people: what is shown, and each load in a line. */
export function textOf(measurement: Measurement, result: MeasuringResult): string {
  const lines = loadRows(measurement).map(({ isCounted, cells }) => (isCounted ? t('measureLineCounted', ...cells) : t('measureLineDropped', ...cells)));
  return [`Firstscreen: ${withoutQuery(measurement.url)}`, `${verdictText(result)} ${verdictDetail(result)}`.trim(), phaseText(measurement), meaningText(measurement), '', ...lines, ''].join('\n');
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
