import type { Side } from '../messages/measuring.ts';
import type { SideSummary } from '../settings/history.ts';
import { formatSeconds } from './format.ts';
import { t } from './texts.ts';

/** What is kept of a site: times of visits on any link, and pages that were measured; empty where there is nothing. */
export function visitsText(summary: Readonly<Record<Side, SideSummary | null>>, measured: number): string {
  const parts = [
    summary.with === null ? '' : t('measureHistoryWith', formatSeconds(summary.with.medianMs), summary.with.visits),
    summary.without === null ? '' : t('measureHistoryWithout', formatSeconds(summary.without.medianMs), summary.without.visits),
    measured === 0 ? '' : t('visitsMeasured', measured),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
