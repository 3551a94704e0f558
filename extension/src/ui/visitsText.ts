import type { Side } from '../messages/measuring.ts';
import type { SideSummary } from '../settings/history.ts';
import type { Numbers } from './numbers.ts';
import { t } from './texts.ts';

/** What the history of visits tells of a site; empty where there is none. */
export function visitsText(summary: Readonly<Record<Side, SideSummary | null>>, numbers: Numbers): string {
  const parts = [
    summary.with === null ? '' : t('measureHistoryWith', numbers.seconds(summary.with.medianMs), summary.with.visits),
    summary.without === null ? '' : t('measureHistoryWithout', numbers.seconds(summary.without.medianMs), summary.without.visits),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
