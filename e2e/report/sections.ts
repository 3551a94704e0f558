import { oracleLine } from '../analysis/oracle.ts';
import { pictureBroken } from '../analysis/breakage.ts';
import { roundTripMs } from '../analysis/ways.ts';
import { METRICS, SHOWN_TIMES, type Metric } from '../bench/comparisons.ts';
import { latenessLimitMs } from '../bench/lateness.ts';
import type { Results } from '../bench/results.ts';
import { schemeName } from '../bench/schemes.ts';
import { filmstrip, type PictureSource } from './filmstrip.ts';
import { forestPlot } from './forestPlot.ts';
import { formatBytes, formatInterval, formatMs, formatPercent, formatRate, formatRatio } from './format.ts';
import { harmLines } from './harm.ts';
import { markup, type Markup } from './markup.ts';
import { oraclePages, type PageRow, type PageSide } from './pageRows.ts';
import { shareBars } from './shareBars.ts';
import { stepRows } from './stepRows.ts';

/** Metrics shown in tiles and in the table of pages, in this order. */
const SHOWN_METRICS: readonly Metric[] = [...SHOWN_TIMES, 'bytes'];
const EVEN = 0.005;

function direction(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined || Math.abs(ratio - 1) < EVEN) return '';
  return ratio < 1 ? 'better' : 'worse';
}

/** Where the waterfall of a scheme's page is; null for none. */
export type WaterfallSource = (scheme: string, page: string) => string | null;

/** One scheme against the baseline: tiles, plot, table, filmstrips. */
export function schemeSection(results: Results, scheme: string, rows: readonly PageRow[], picture: PictureSource, waterfall: WaterfallSource): Markup {
  const comparisons = results.comparisons.filter((comparison) => comparison.scheme === scheme);
  const isrt = comparisons.find(({ metric }) => metric === 'isrtMs');
  if (!isrt) return markup``;
  const tiles = SHOWN_METRICS.flatMap((metric) => comparisons.filter((comparison) => comparison.metric === metric));
  const { schemes } = results.options;
  return markup`<section>
  <h2>${schemeName(schemes, scheme)} beside ${schemeName(schemes, isrt.baseline)}</h2>
  <div class="tiles">${tiles.map(({ metric, overall }) => markup`<div class="tile ${direction(overall.value)}"><span>${METRICS[metric as Metric]}</span><b>${formatRatio(overall.value)}</b><span>${formatInterval(overall.low, overall.high)}</span></div>`)}</div>
  <p class="about" style="margin-top:12px">Ratios ${scheme} ÷ ${isrt.baseline}; below 1 is sooner, and less. Median over pages of each page’s median paired ratio, bootstrap 95 % intervals over pages and rounds.</p>
  <h3 class="part">First screen, page by page</h3>
  <p class="about">ISRT: navigation start until everything that the first viewport needs has arrived and is painted. Each dot is a pair of loads, the bar the median, the line its 95 % interval; of fewer than six pairs it goes from the least to the greatest, which is less certain. Losers first.</p>
  <div class="card">${forestPlot(rows, isrt.overall, METRICS.isrtMs)}</div>
  ${harmLines(comparisons).map((line) => markup`<p class="about">${line}.</p>`)}
  <h3 class="part">Where the time went</h3>
  <p class="about">Until the first screen the link carried what it needs (with all overhead), what it does not need (waste), or nothing (idle). In each load the three add up to ISRT; medians of loads are shown.</p>
  <div class="card">${shareBars(rows)}</div>
  <p class="about">${oracleLine(oraclePages(rows))}.</p>
  <h3 class="part">All numbers</h3>
  <p class="about">Times are medians; ratios are medians of pairs. “Bound” is the least time in which the first screen’s bytes and round trips fit through the link. Lost, twice: the most in any load. Picture: pixels that differ from stock’s picture of the same round, beside what stock differs from itself.</p>
  <div class="card">${pageTable(rows, isrt.baseline, scheme)}</div>
  <h3 class="part">Side by side</h3>
  <p class="about">The round nearest to each page’s median. A green frame marks the first picture with a complete first screen.</p>
  ${rows.filter(({ n }) => n > 0).map((row) => pageArticle(row, picture, waterfall(scheme, row.page)))}
</section>`;
}

function pageTable(rows: readonly PageRow[], baseline: string, scheme: string): Markup {
  return markup`<table><thead><tr><th>Page</th><th>Pairs</th><th>ISRT<br>${baseline}</th><th>ISRT<br>${scheme}</th><th>Bound</th>
    ${SHOWN_METRICS.map((metric) => markup`<th>${METRICS[metric]}<br>ratio</th>`)}<th>Off-screen<br>bytes</th><th>Lost</th><th>Twice</th><th>Picture<br><small>noise</small></th><th>Helper<br>CPU</th><th>Extension<br>CPU</th><th>Failed</th></tr></thead>
  <tbody>${rows.map((row) => tableRow(row))}</tbody></table>`;
}

function tableRow({ page, n, baseline, scheme, ratios, offScreenShare, pictureNoise }: PageRow): Markup {
  const failed = baseline.failed.length + scheme.failed.length;
  return markup`<tr><td>${page}</td><td>${n}</td><td>${formatMs(baseline.isrtMs)}</td><td>${formatMs(scheme.isrtMs)}</td><td>${formatMs(baseline.lowerBoundMs)}</td>
    ${SHOWN_METRICS.map((metric) => markup`<td class="${direction(ratios[metric])}">${formatRatio(ratios[metric])}</td>`)}
    <td>${formatPercent(offScreenShare)}</td><td class="${scheme.objectsLost > 0 ? 'bad' : ''}">${scheme.objectsLost}</td><td class="${scheme.objectsFetchedTwice > 0 ? 'bad' : ''}">${scheme.objectsFetchedTwice}</td>
    <td class="${pictureBroken(scheme.pictureDifference, pictureNoise) ? 'bad' : ''}">${formatPercent(scheme.pictureDifference)} <small>${formatPercent(pictureNoise)}</small></td><td>${formatMs(scheme.helperCpuMs)}</td><td>${formatMs(scheme.extensionCpuMs)}</td><td class="${failed > 0 ? 'bad' : ''}">${failed}</td></tr>`;
}

function pageArticle(row: PageRow, picture: PictureSource, waterfall: string | null): Markup {
  return markup`<article><header><h4>${row.page}</h4><span class="delta ${direction(row.isrt.value)}">${formatRatio(row.isrt.value)}</span>
    <p>${formatMs(row.baseline.isrtMs)} → ${formatMs(row.scheme.isrtMs)}, bound ${formatMs(row.baseline.lowerBoundMs)}, ${row.n} pairs, ${formatPercent(row.offScreenShare)} of the bytes off-screen</p>${waterfall === null ? null : markup`<a href="${waterfall}">every request</a>`}</header>
  ${journeyTable(row)}${filmstrip(row, picture)}
  <details><summary>What the first screen waited for</summary><div class="why">${[row.baseline, row.scheme].map((side) => lastObjects(side, row.typicalRun))}</div></details></article>`;
}

/** The pages of a journey, whose sums are the load's numbers; nothing for a single page. */
function journeyTable(row: PageRow): Markup {
  const steps = stepRows(row);
  if (steps.length === 0) return markup``;
  return markup`<table><thead><tr><th>Page of the journey</th><th>ISRT</th><th></th><th>Speed Index</th><th></th><th>All objects</th><th></th><th>Bytes</th><th></th></tr></thead>
    <tbody>${steps.map(({ url, baseline, scheme }) => markup`<tr><td>${url}</td><td>${formatMs(baseline.isrtMs)}</td><td>→ ${formatMs(scheme.isrtMs)}</td><td>${formatMs(baseline.speedIndexMs)}</td><td>→ ${formatMs(scheme.speedIndexMs)}</td><td>${formatMs(baseline.allObjectsMs)}</td><td>→ ${formatMs(scheme.allObjectsMs)}</td><td>${formatBytes(baseline.bytes)}</td><td>→ ${formatBytes(scheme.bytes)}</td></tr>`)}</tbody></table>`;
}

function lastObjects({ loads }: PageSide, run: number | null): Markup {
  const load = loads.find((candidate) => candidate.run === run);
  if (!load) return markup``;
  return markup`<table><thead><tr><th>${load.scheme}: last objects</th><th>Kind</th><th>Arrived</th><th>Painted</th><th>Bytes</th></tr></thead>
    <tbody>${load.lastNeeded.map(({ url, kind, arrivalMs, paintMs, bytes }) => markup`<tr><td>${url}</td><td>${kind}</td><td>${formatMs(arrivalMs)}</td><td>${formatMs(paintMs)}</td><td>${formatBytes(bytes)}</td></tr>`)}</tbody></table>`;
}

/** Loads that failed and pages that could not be served: counted and told, never left out in silence. */
export function failureSection({ loads, pages }: Results): Markup {
  const failed = loads.filter((load) => load.failed !== null);
  const broken = pages.filter(({ error }) => error !== null);
  if (failed.length === 0 && broken.length === 0) return markup``;
  return markup`<section><h2>Failures</h2><p class="about">A failed load was tried once more; a pair counts only when both of its loads succeeded.</p><div class="card"><table>
    <thead><tr><th>Page</th><th>Scheme</th><th>Round</th><th>Attempt</th><th>Reason</th></tr></thead><tbody>
    ${failed.map(({ page, scheme, run, attempt, failed: code, failure }) => markup`<tr><td>${page}</td><td>${scheme}</td><td>${run}</td><td>${attempt}</td><td style="white-space:normal">${code}: ${failure}</td></tr>`)}
    ${broken.map(({ name, error }) => markup`<tr><td>${name}</td><td></td><td></td><td></td><td style="white-space:normal">${error?.code ?? ''}: ${error?.message ?? ''} ${error?.next ?? ''}</td></tr>`)}
    </tbody></table></div></section>`;
}

/** The link's own measurement of itself, and what else took part. */
export function conditionsSection({ link, congestion, versions, machine, options, startedAt, loads }: Results): Markup {
  const lateUs = Math.max(0, ...loads.flatMap(({ linkLatenessP99Us }) => linkLatenessP99Us ?? []));
  const check = link?.check;
  const rttMs = link ? roundTripMs(link.profile) : 0;
  const hopMs = 2 * (link?.profile.secondHop?.delayMs ?? 0);
  const linkRows: readonly (readonly [string, string])[] = link
    ? [
        ['Profile', link.profile.name],
        ['Rate down', `${formatRate(link.profile.down.rateBitsPerSecond)}${check ? `, measured ${formatRate(check.downRateBitsPerSecond)}` : ''}`],
        ['Rate up', `${formatRate(link.profile.up.rateBitsPerSecond)}${check ? `, measured ${formatRate(check.upRateBitsPerSecond)}` : ''}`],
        ['Round trip', `${rttMs - hopMs} ms${check ? `, measured ${check.rttMs.toFixed(1)} ms` : ''}`],
        ...(hopMs > 0 ? [['Second hop', `${hopMs} ms more to the servers, for every scheme; a relay stands before it`] as const] : []),
        ['Lateness of the link', `worst load ${lateUs} µs (p99); loads above ${latenessLimitMs(rttMs, options.maxLateMs)} ms${options.maxLateMs === null ? '' : ' (--max-late)'} were rejected`],
        ['Scheduling', `${link.realtime ? 'real-time' : 'normal'}, ${link.rootless ? 'rootless' : 'root'}`],
        ['Congestion control of servers', congestion ?? 'unknown'],
      ]
    : [['Link', 'no report']];
  const { width, height } = options.viewport;
  const runRows: readonly (readonly [string, string])[] = [
    ['Started', startedAt],
    ['Protocol', options.protocol],
    ['Viewport', `${width} × ${height}`],
    ['Page', options.isSecondPage ? 'the second one of each browser (--second-page)' : 'the first one of each browser'],
    ['Seed', String(options.seed)],
    ...Object.entries(versions),
    ['Machine', `${machine.cores} × ${machine.cpu}, ${formatBytes(machine.memoryBytes)}, Linux ${machine.kernel}`],
  ];
  return markup`<section><h2>Conditions</h2><p class="about">The link checked itself before the first load and would have refused to measure if it had been off by more than 5 %.</p>
    <div class="grid2"><div class="card">${pairTable(linkRows)}</div><div class="card">${pairTable(runRows)}</div></div></section>`;
}

function pairTable(rows: readonly (readonly [string, string])[]): Markup {
  return markup`<table><tbody>${rows.map(([name, value]) => markup`<tr><td>${name}</td><td style="white-space:normal">${value}</td></tr>`)}</tbody></table>`;
}
