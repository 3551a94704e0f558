import type { Estimate } from '../../../shared/src/statistics/statistics.ts';
import type { Numbers } from './numbers.ts';
import { t } from './texts.ts';

/** How much sooner or later. @param ratio of times; below 1 is sooner */
export function changeText(ratio: number, numbers: Numbers): string {
  return ratio <= 1 ? t('measureSooner', numbers.percent(1 - ratio)) : t('measureLater', numbers.percent(ratio - 1));
}

/** The ends of an interval of ratios, the one with the smaller change first where both are on one side. */
export function fromSmaller({ low, high }: Estimate): readonly [from: number, to: number] {
  return low > 1 ? [low, high] : [high, low];
}
