import { oracleLine } from '../analysis/oracle.ts';
import { METRICS, SHOWN_TIMES, type Metric } from '../bench/comparisons.ts';
import type { Results } from '../bench/results.ts';
import { formatBytes, formatMs, formatPercent, formatRatio, formatShares } from './format.ts';
import { harmLines } from './harm.ts';
import { tableLines } from './markdown.ts';
import { oraclePages, pageRows, type PageRow } from './pageRows.ts';
import { stepRows } from './stepRows.ts';

/** The results as Markdown, for docs/results: numbers only, no picture of anyone's page. */
export function markdownTable(results: Results): string {
  const { profile, protocol, viewport, seed, runs, maxLateMs, relayRttMs, isSecondPage } = results.options;
  const failed = results.loads.filter((load) => load.failed !== null);
  const head = `${profile}${relayRttMs === null ? '' : `, servers ${relayRttMs} ms behind it (--relay-rtt)`}, protocol ${protocol}, ${viewport.width}x${viewport.height}, ${runs} pairs a page${isSecondPage ? ' (each browser had been to another one before: --second-page)' : ''}, seed ${seed}, ${results.startedAt.slice(0, 10)}; ended: ${results.ended}; failed loads: ${failed.length} of ${results.loads.length}.${maxLateMs === null ? '' : ` Loads whose link was late by up to ${maxLateMs} ms count (--max-late): numbers of the machine as well as of the link.`}`;
  const versions = Object.entries(results.versions).map(([name, version]) => `${name} ${version}`).join(', ');
  const schemes = [...new Set(results.comparisons.map(({ scheme }) => scheme))];
  const failures = failed.map(({ page, scheme, run, attempt, failed: code, failure }) => `- ${page}, ${scheme}, round ${run}, attempt ${attempt}: ${code}: ${failure ?? ''}`);
  return [head, '', versions, '', ...schemes.map((scheme) => schemeTable(results, scheme)), ...(failures.length > 0 ? ['Failed loads:', '', ...failures, ''] : [])].join('\n');
}

function schemeTable(results: Results, scheme: string): string {
  const rows = pageRows(results, scheme);
  const overall = results.comparisons.filter((comparison) => comparison.scheme === scheme);
  const baseline = overall[0]?.baseline ?? '';
  const header = ['page', 'n', `ISRT ${baseline}`, `ISRT ${scheme}`, 'bound', 'ISRT, interval', ...SHOWN_TIMES.map((metric) => METRICS[metric]), 'off-screen', 'lost', 'twice', 'picture (noise)', `needed+waste+idle ${baseline}`, `needed+waste+idle ${scheme}`, 'helper CPU', 'extension CPU', `waits for (${baseline})`, `waits for (${scheme})`];
  const totals = overall.map(({ metric, overall: { value, low, high } }) => [METRICS[metric as Metric], formatRatio(value, 3), `${formatRatio(low, 3)} to ${formatRatio(high, 3)}`]);
  const harm = harmLines(overall).map((line) => `- ${line}`);
  return [
    `### ${scheme} against ${baseline}`, '',
    ...tableLines(['median over pages', 'ratio', '95 % interval'], totals), '', `- ${oracleLine(oraclePages(rows))}`, ...harm, '',
    ...tableLines(header, rows.map(pageCells)), '',
    ...journeyLines(rows, baseline, scheme),
  ].join('\n');
}

function pageCells({ page, n, baseline, scheme, isrt, ratios, offScreenShare, pictureNoise, typicalRun }: PageRow): string[] {
  const critical = (side: PageRow['baseline']) => lastPart(side.loads.find(({ run }) => run === typicalRun)?.critical?.url ?? '');
  return [
    page, String(n), formatMs(baseline.isrtMs), formatMs(scheme.isrtMs), formatMs(baseline.lowerBoundMs),
    `${formatRatio(isrt.low)} to ${formatRatio(isrt.high)}`, ...SHOWN_TIMES.map((metric) => formatRatio(ratios[metric])),
    formatPercent(offScreenShare), String(scheme.objectsLost), String(scheme.objectsFetchedTwice),
    `${formatPercent(scheme.pictureDifference)} (${formatPercent(pictureNoise)})`, formatShares(baseline), formatShares(scheme), formatMs(scheme.helperCpuMs), formatMs(scheme.extensionCpuMs), critical(baseline), critical(scheme),
  ];
}

/** Journeys page by page; nothing where there are none. */
function journeyLines(rows: readonly PageRow[], baseline: string, scheme: string): string[] {
  const lines = rows.flatMap((row) => stepRows(row).map(({ url, baseline: stock, scheme: side }, place) => [
    row.page, `${place + 1}: ${lastPart(url)}`, formatMs(stock.isrtMs), formatMs(side.isrtMs), formatMs(stock.speedIndexMs), formatMs(side.speedIndexMs),
    formatMs(stock.allObjectsMs), formatMs(side.allObjectsMs), formatBytes(stock.bytes), formatBytes(side.bytes), formatShares(stock), formatShares(side),
  ]));
  if (lines.length === 0) return [];
  const header = ['journey', 'page', ...['ISRT', 'Speed Index', 'All objects', 'Bytes', 'needed+waste+idle'].flatMap((name) => [`${name} ${baseline}`, `${name} ${scheme}`])];
  return [...tableLines(header, lines), ''];
}

/** Host and file name are enough to recognise an object. */
function lastPart(url: string): string {
  const parts = url.split('/');
  return parts.length < 4 ? url : `${parts[2] ?? ''}/…/${parts.at(-1) ?? ''}`.replace('/…//', '/');
}
