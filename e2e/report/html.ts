import type { Results } from '../bench/results.ts';
import { formsAmong, schemeName } from '../bench/schemes.ts';
import type { PictureSource } from './filmstrip.ts';
import { formatInterval, formatRatio } from './format.ts';
import { markup, Markup } from './markup.ts';
import { noiseSection } from './noiseSection.ts';
import { pageRows } from './pageRows.ts';
import { conditionsSection, failureSection, schemeSection, type WaterfallSource } from './sections.ts';
import { STYLE } from './style.ts';

const ENDINGS = {
  complete: null,
  limit: 'The time limit ended this run: pages may have fewer pairs than were asked for.',
  interrupted: 'This run was interrupted: pages may have fewer pairs than were asked for.',
  failed: 'The test bed failed during this run: pages may have fewer pairs than were asked for.',
} as const;

/**
 * The report as one file without scripts and without anything to fetch.
 *
 * @param waterfall where a page's waterfall is, beside the report; null for none
 */
export function htmlReport(results: Results, picture: PictureSource, waterfall: WaterfallSource = () => null): string {
  const schemes = [...new Set(results.comparisons.map(({ scheme }) => scheme))];
  const { width, height } = results.options.viewport;
  const loads = results.loads.filter(({ failed }) => failed === null).length;
  const ending = ENDINGS[results.ended];
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Firstscreen benchmark, ${results.options.profile}</title>
<style>${new Markup(STYLE)}:root { --shape: ${width} / ${height}; }</style></head>
<body><main>
<header><p class="kicker">Firstscreen benchmark · ${results.startedAt.slice(0, 10)}</p>${verdict(results)}
<p class="lead">${results.pages.length} pages on the ${results.options.profile} link, ${loads} loads in interleaved pairs of random order, each in a fresh browser profile. Arrival is when the link delivered the last byte, so nothing inside the browser can make it early; by a relay it is when the browser had it, which is later.${formsAmong(results.options.schemes).map((form) => ` ${form}.`)}</p></header>
${ending ? markup`<p class="notice">${ending}</p>` : null}
${schemes.map((scheme) => schemeSection(results, scheme, pageRows(results, scheme), picture, waterfall))}
${failureSection(results)}
${noiseSection(results)}
${conditionsSection(results)}
<footer>Raw numbers: <code>results.json</code>. What each load asked for and when it came: <code>artifacts/</code>, drawn in <code>waterfalls/</code>. How it is measured: <code>docs/benchmarks.md</code>.</footer>
</main></body></html>
`.text;
}

function verdict({ comparisons, options: { schemes } }: Results): Markup {
  const isrt = comparisons.find(({ metric }) => metric === 'isrtMs');
  if (isrt?.overall.value === null || isrt === undefined) return markup`<h1>No pair was measured</h1>`;
  const { value, low, high } = isrt.overall;
  const [scheme, baseline] = [schemeName(schemes, isrt.scheme), schemeName(schemes, isrt.baseline)];
  const percent = Math.round(Math.abs(1 - value) * 100);
  const certain = low !== null && high !== null && (high < 1 || low > 1);
  if (!certain) return markup`<h1>No certain difference between ${scheme} and ${baseline}: median ratio ${formatRatio(value)} (${formatInterval(low, high)})</h1>`;
  return markup`<h1>The first screen appears <em class="${value < 1 ? '' : 'worse'}">${percent}\u00a0% ${value < 1 ? 'sooner' : 'later'}</em> with ${scheme} than with ${baseline}</h1>`;
}
