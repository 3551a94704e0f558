import { METRICS, type Metric } from '../bench/comparisons.ts';
import type { Comparison } from '../bench/results.ts';

/** The metrics in which no page may lose. */
const HARM_METRICS: readonly string[] = ['isrtMs', 'speedIndexMs'] satisfies Metric[];
/** A page whose median ratio is above this is harmed: below it a ratio of 1 can not be told from it with few pairs. */
const HARM_RATIO = 1.03;

/** A line for each of these metrics that names the pages that lose, worst first. @param comparisons of one scheme */
export function harmLines(comparisons: readonly Comparison[]): string[] {
  return comparisons.filter(({ metric }) => HARM_METRICS.includes(metric)).map(({ metric, pages }) => {
    const harmed = pages.flatMap(({ page, ratio: { value } }) => (value !== null && value > HARM_RATIO ? [{ page, value }] : [])).toSorted((a, b) => b.value - a.value);
    const named = harmed.map(({ page, value }) => `${page} ${value.toFixed(2)}`).join(', ');
    return `${METRICS[metric as Metric]} above ${HARM_RATIO}: ${harmed.length} of ${pages.length} pages${named === '' ? '' : `: ${named}`}`;
  });
}
