import { formatBytes, formatRate } from '../../report/format.ts';
import { tableLines } from '../../report/markdown.ts';
import { markup, Markup } from '../../report/markup.ts';
import { STYLE } from '../../report/style.ts';
import { figureSvg } from './figureSvg.ts';
import type { Figure, FigureResults } from './results.ts';
import { schemeName } from './schemeStyle.ts';
import { SWEEPS, type Sweep } from './sweeps.ts';
import { constantsOf, failuresOf, INTERVALS, tableOf } from './wording.ts';

/** Every figure that was measured, with the sweep it is of; in a quick run the sweep has fewer points. */
export function drawnFigures({ figures }: FigureResults): { readonly sweep: Sweep; readonly figure: Figure }[] {
  return SWEEPS.flatMap((sweep) => {
    const figure = figures.find(({ name }) => name === sweep.name);
    if (figure === undefined) return [];
    const measured = figure.lines[0]?.points.map(({ x }) => x) ?? [];
    return [{ sweep: { ...sweep, points: sweep.points.filter(({ x }) => measured.includes(x)) }, figure }];
  });
}

/** figures.html: one file, no scripts, fetches nothing. */
export function figuresHtml(results: FigureResults): string {
  const { options, startedAt, ended, loads } = results;
  const failures = failuresOf(results);
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Firstscreen: the report’s figures, measured</title>
<style>${new Markup(STYLE)}.plot { background: #fff; padding: 8px; } .plot svg { display: block; width: 100%; min-width: 760px; height: auto; } .plot + p { margin-top: 12px; }</style></head>
<body><main>
<header><p class="kicker">Firstscreen benchmark · ${startedAt.slice(0, 10)}</p><h1>The six figures of the report, measured</h1>
<p class="lead">NSF report 0519733, section VI-D, drawn anew with generated pages in a real browser over an emulated link: ${loads.filter(({ failed }) => failed === null).length} loads, ${options.runs} ${options.runs === 1 ? 'draw' : 'draws'} of the page
a point, each loaded once with every scheme (${options.schemes.map(schemeName).join(', ')}) in random order, each in a fresh browser profile. ${INTERVALS}</p></header>
${ended === 'complete' ? null : markup`<p class="notice">This run ended early (${ended}): points may be missing, or have fewer pairs than were asked for.</p>`}
${options.maxLateMs === null ? null : markup`<p class="notice">Loads whose link was late by up to ${options.maxLateMs} ms count (--max-late): numbers of the machine as well as of the link.</p>`}
${drawnFigures(results).map(({ sweep, figure }) => figureSection(sweep, figure))}
${failures.length === 0 ? null : markup`<section><h2>Failures</h2><p class="about">A failed load was tried once more; a pair counts only when both of its loads succeeded.</p><div class="card"><ul>${failures.map((failure) => markup`<li>${failure}</li>`)}</ul></div></section>`}
${conditionsSection(results)}
<footer>Raw numbers: <code>results.json</code>. What each load asked for and when it came: <code>testbeds/</code>. How it is measured: <code>docs/benchmarks.md</code>.</footer>
</main></body></html>
`.text;
}

/** table.md, for docs/results. */
export function figuresMarkdown(results: FigureResults): string {
  const { options, startedAt, versions, machine, ended, loads } = results;
  const failures = failuresOf(results);
  const late = options.maxLateMs === null ? '' : ` Loads whose link was late by up to ${options.maxLateMs} ms count (--max-late).`;
  return [
    `${startedAt.slice(0, 10)}, ${machine.cores} x ${machine.cpu}, Linux ${machine.kernel}; ${options.runs} draws a point, seed ${options.seed}; ended: ${ended}; failed loads: ${loads.filter(({ failed }) => failed !== null).length} of ${loads.length}.${late}`,
    '',
    Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', '),
    '',
    INTERVALS,
    '',
    ...drawnFigures(results).flatMap(({ sweep, figure }) => {
      const { head, rows } = tableOf(sweep, figure);
      return [`### ${sweep.title}`, '', `At every point: ${constantsOf(sweep)}. ${sweep.note ?? ''}`.trim(), '', `The report's ${lowerFirst(sweep.report)}`, '', ...tableLines(head, rows), ''];
    }),
    ...(failures.length === 0 ? [] : ['Failures:', '', ...failures.map((failure) => `- ${failure}`), '']),
  ].join('\n');
}

function figureSection(sweep: Sweep, figure: Figure): Markup {
  const { head, rows } = tableOf(sweep, figure);
  return markup`<section id="${sweep.name}"><h2>${sweep.title}</h2>
<p class="about">At every point: ${constantsOf(sweep)}. ${sweep.note}</p>
<div class="card plot">${figureSvg(sweep, figure)}</div>
<p class="about">The report’s ${lowerFirst(sweep.report)}</p>
<div class="card"><table><thead><tr>${head.map((cell) => markup`<th>${cell}</th>`)}</tr></thead><tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></section>
`;
}

/** What each link said of itself, and what else took part. */
function conditionsSection({ testbeds, versions, machine, options }: FigureResults): Markup {
  const rows = testbeds.map(({ name, helperConnections, schemes, link }) => [
    name,
    link ? `${formatRate(link.profile.down.rateBitsPerSecond)}${link.check ? `, measured ${formatRate(link.check.downRateBitsPerSecond)}` : ''}` : 'no report',
    link ? `${link.profile.down.delayMs + link.profile.up.delayMs} ms${link.check ? `, measured ${link.check.rttMs.toFixed(1)} ms` : ''}` : '',
    helperConnections === null ? 'as shipped' : String(helperConnections),
    schemes.join(', '),
  ]);
  return markup`<section><h2>Conditions</h2><p class="about">Each link checked itself before its first load and would have refused to measure if it had been off by more than 5 %.
Seed ${options.seed}. ${machine.cores} × ${machine.cpu}, ${formatBytes(machine.memoryBytes)}, Linux ${machine.kernel}. ${Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ')}.</p>
<div class="card"><table><thead><tr><th>Test bed</th><th>Rate both ways</th><th>Round trip</th><th>Helper’s connections<br>a server</th><th>Schemes</th></tr></thead>
<tbody>${rows.map((cells) => markup`<tr>${cells.map((cell) => markup`<td>${cell}</td>`)}</tr>`)}</tbody></table></div></section>`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
