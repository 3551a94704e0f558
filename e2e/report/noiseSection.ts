import { median, quantile } from '../../shared/src/statistics/statistics.ts';
import type { Results } from '../bench/results.ts';
import { formatMs, formatPercent } from './format.ts';
import { markup, type Markup } from './markup.ts';

interface StockSpread {
  readonly page: string;
  readonly n: number;
  readonly medianMs: number;
  /** Interquartile range of ISRT against its median. */
  readonly spread: number;
  readonly pictureNoise: number | null;
}

/** How much stock differs from itself: what a gain has to be larger than. */
export function noiseSection(results: Results): Markup {
  const rows = stockSpreads(results).toSorted((a, b) => b.spread - a.spread);
  if (rows.length === 0) return markup``;
  return markup`<section><h2>Noise</h2><p class="about">Stock against itself: spread of ISRT over the rounds (interquartile range over median; ${formatPercent(median(rows.map(({ spread }) => spread)))} on the median page) and pixels that differ between the pictures of consecutive rounds. The null test (<code>--schemes conv,conv</code>) gives the interval of a ratio that is truly 1.</p>
    <details><summary>Pages</summary><div class="card"><table><thead><tr><th>Page</th><th>Loads</th><th>Median ISRT</th><th>Spread</th><th>Picture</th></tr></thead>
    <tbody>${rows.map(({ page, n, medianMs, spread, pictureNoise }) => markup`<tr><td>${page}</td><td>${n}</td><td>${formatMs(medianMs)}</td><td>${formatPercent(spread)}</td><td>${formatPercent(pictureNoise)}</td></tr>`)}</tbody></table></div></details></section>`;
}

function stockSpreads({ pages, loads, options }: Results): StockSpread[] {
  const baseline = options.schemes[0]?.label;
  return pages.flatMap(({ name, pictureNoise }) => {
    const times = loads.flatMap((load) => (load.page === name && load.scheme === baseline && load.failed === null && load.isrtMs !== null ? [load.isrtMs] : []));
    if (times.length < 2) return [];
    const medianMs = median(times);
    return [{ page: name, n: times.length, medianMs, spread: (quantile(times, 0.75) - quantile(times, 0.25)) / medianMs, pictureNoise }];
  });
}
