import { pictureBroken } from '../analysis/breakage.ts';
import { oracleLine } from '../analysis/oracle.ts';
import { formatMs, formatRatio, formatShares } from '../report/format.ts';
import { harmLines } from '../report/harm.ts';
import { oraclePages, pageRows } from '../report/pageRows.ts';
import { METRICS, SHOWN_TIMES, type Metric } from './comparisons.ts';
import type { Results } from './results.ts';

/** More of one fault mostly have the same cause. */
const NAMED_OBJECTS = 3;

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
    ...pastTheRelay(results),
    ...(broken.length > 0 ? ['Pages that could not be served:', ...broken] : []),
    '',
  ].join('\n');
}

/** Loads that lost something, fetched something twice, or ended with another picture than stock. */
function breakages({ loads, pages }: Results): string[] {
  const noise = new Map(pages.map(({ name, pictureNoise }) => [name, pictureNoise]));
  const lines = loads.flatMap(({ page, scheme, run, lost, fetchedTwice, pictureDifference }) => {
    const faults = [
      ...faultOf('lost', lost),
      ...faultOf('fetched twice', fetchedTwice),
      ...(pictureDifference !== null && pictureBroken(pictureDifference, noise.get(page) ?? null) ? [`picture differs in ${(100 * pictureDifference).toFixed(1)} % of pixels`] : []),
    ];
    return faults.length > 0 ? [`  ${page} ${scheme} round ${run}: ${faults.join(', ')}`] : [];
  });
  return lines.length > 0 ? ['Broken:', ...lines] : [];
}

/** How many objects of a load have a fault, and which are the first. */
function faultOf(fault: string, urls: readonly string[]): string[] {
  const more = urls.length > NAMED_OBJECTS ? ' …' : '';
  return urls.length > 0 ? [`${urls.length} ${fault} (${urls.slice(0, NAMED_OBJECTS).join(' ')}${more})`] : [];
}

/** Loads of a relay of which a part went the direct way. */
function pastTheRelay({ loads }: Results): string[] {
  const lines = loads.flatMap(({ page, scheme, run, requests, requestsRelayed }) => (requests !== null && requestsRelayed !== null && requestsRelayed > 0 && requestsRelayed < requests ? [`  ${page} ${scheme} round ${run}: ${requests - requestsRelayed} of ${requests} requests`] : []));
  return lines.length > 0 ? ['The direct way, not by the relay:', ...lines] : [];
}

function schemeTable(results: Results, scheme: string): string {
  const comparisons = results.comparisons.filter((comparison) => comparison.scheme === scheme);
  const baseline = comparisons[0]?.baseline ?? '';
  const rows = pageRows(results, scheme).filter(({ n }) => n > 0);
  const width = Math.max(8, ...results.pages.map(({ name }) => name.length));
  const columns = ['page'.padEnd(width), ' n', `${baseline} ISRT`.padStart(11), ...SHOWN_TIMES.map((metric) => METRICS[metric].padStart(17)), `needed+waste+idle ${baseline}`.padStart(26), scheme.padStart(18), 'helper, extension CPU'.padStart(21)];
  const lines = rows.map(({ page, n, baseline: stock, scheme: side, ratios }) =>
    [
      page.padEnd(width), String(n).padStart(2), `${Math.round(stock.isrtMs)} ms`.padStart(11), ...SHOWN_TIMES.map((metric) => formatRatio(ratios[metric], 3).padStart(17)),
      formatShares(stock).padStart(26), formatShares(side).padStart(18), `${formatMs(side.helperCpuMs)}, ${formatMs(side.extensionCpuMs)}`.padStart(21),
    ].join('  '),
  );
  const overall = comparisons.map(({ metric, overall: { value, low, high } }) => `  ${METRICS[metric as Metric].padEnd(20)} ${formatRatio(value, 3)}  [${formatRatio(low, 3)}, ${formatRatio(high, 3)}]`);
  const harm = harmLines(comparisons).map((line) => `  ${line}`);
  return [`${scheme} against ${baseline}: ratios of pairs, losers first`, columns.join('  '), ...lines, 'Median over pages, bootstrap 95 % interval:', ...overall, `  ${oracleLine(oraclePages(rows))}`, ...harm].join('\n');
}
