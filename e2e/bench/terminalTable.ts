import { pictureBroken } from '../analysis/breakage.ts';
import { median } from '../analysis/statistics.ts';
import { METRICS, type Metric } from './comparisons.ts';
import type { Comparison, Results } from './results.ts';

const TABLE_METRICS: readonly Metric[] = ['isrtMs', 'speedIndexMs', 'area95Ms', 'visuallyCompleteMs', 'allObjectsMs'];

/** The results for a terminal: a page a line, slowest ISRT ratio first, then the overall ratios with intervals. */
export function terminalTable(results: Results): string {
  const schemes = [...new Set(results.comparisons.map(({ scheme }) => scheme))];
  const failed = results.loads.filter(({ failed: code }) => code !== null);
  const sections = schemes.map((scheme) => schemeTable(results, scheme));
  const failures = failed.map(({ page, scheme, run, failed: code, failure }) => `  ${page} ${scheme} round ${run}: ${code} (${failure ?? ''})`);
  const broken = results.pages.flatMap(({ name, error }) => (error ? [`  ${name}: ${error.code} ${error.message}. ${error.next}`] : []));
  return [
    ...sections,
    ...(failures.length > 0 ? [`Failed loads: ${failures.length} of ${results.loads.length}`, ...failures] : []),
    ...breakages(results),
    ...(broken.length > 0 ? ['Pages that could not be served:', ...broken] : []),
    '',
  ].join('\n');
}

/** Loads that lost something, fetched something twice, or ended with another picture than stock. */
function breakages({ loads, pages }: Results): string[] {
  const noise = new Map(pages.map(({ name, pictureNoise }) => [name, pictureNoise]));
  const lines = loads.flatMap(({ page, scheme, run, objectsLost, objectsFetchedTwice, pictureDifference }) => {
    const faults = [
      ...(objectsLost ? [`${objectsLost} lost`] : []),
      ...(objectsFetchedTwice ? [`${objectsFetchedTwice} fetched twice`] : []),
      ...(pictureDifference !== null && pictureBroken(pictureDifference, noise.get(page) ?? null) ? [`picture differs in ${(100 * pictureDifference).toFixed(1)} % of pixels`] : []),
    ];
    return faults.length > 0 ? [`  ${page} ${scheme} round ${run}: ${faults.join(', ')}`] : [];
  });
  return lines.length > 0 ? ['Broken:', ...lines] : [];
}

function schemeTable(results: Results, scheme: string): string {
  const comparisons = new Map(results.comparisons.filter((comparison) => comparison.scheme === scheme).map((comparison) => [comparison.metric, comparison]));
  const isrt = comparisons.get('isrtMs');
  const baseline = isrt?.baseline ?? '';
  const width = Math.max(8, ...results.pages.map(({ name }) => name.length));
  const header = ['page'.padEnd(width), ' n', `${baseline} ISRT`.padStart(11), ...TABLE_METRICS.map((metric) => METRICS[metric].padStart(17))].join('  ');
  const pages = (isrt?.pages ?? []).toSorted((a, b) => (b.ratio.value ?? 0) - (a.ratio.value ?? 0));
  const lines = pages.map(({ page, n }) =>
    [page.padEnd(width), String(n).padStart(2), `${Math.round(stockIsrt(results, page, baseline))} ms`.padStart(11), ...TABLE_METRICS.map((metric) => pageCell(comparisons.get(metric), page).padStart(17))].join('  '),
  );
  const overall = [...comparisons.values()].map(({ metric, overall: { value, low, high } }) => `  ${METRICS[metric as Metric].padEnd(20)} ${ratio(value)}  [${ratio(low)}, ${ratio(high)}]`);
  return [`${scheme} against ${baseline}: ratios of pairs, losers first`, header, ...lines, 'Median over pages, bootstrap 95 % interval:', ...overall].join('\n');
}

function pageCell(comparison: Comparison | undefined, page: string): string {
  return ratio(comparison?.pages.find((candidate) => candidate.page === page)?.ratio.value ?? null);
}

function stockIsrt({ loads }: Results, page: string, baseline: string): number {
  return median(loads.flatMap((load) => (load.page === page && load.scheme === baseline && load.failed === null && load.isrtMs !== null ? [load.isrtMs] : [])));
}

function ratio(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}
