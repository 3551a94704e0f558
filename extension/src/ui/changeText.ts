import type { Estimate } from '../../../shared/src/statistics/statistics.ts';
import { formatPercent } from './format.ts';
import { t } from './texts.ts';

/** How much sooner or later. @param ratio of times; below 1 is sooner */
export function changeText(ratio: number): string {
  return ratio <= 1 ? t('measureSooner', formatPercent(1 - ratio)) : t('measureLater', formatPercent(ratio - 1));
}

/** The ends of an interval of ratios, the one with the smaller change first where both are on one side. */
export function fromSmaller({ low, high }: Estimate): readonly [from: number, to: number] {
  return low > 1 ? [low, high] : [high, low];
}
