import { formatMs } from './format.ts';
import { markup, type Markup } from './markup.ts';
import type { PageRow, PageSide } from './pageRows.ts';

const SHARES = [
  { key: 'neededMs', name: 'needed' },
  { key: 'wasteMs', name: 'waste' },
  { key: 'idleMs', name: 'idle' },
] as const;
const PERCENT = 100;

/** ISRT of each page as a bar of its three shares, stock above scheme, to one scale. */
export function shareBars(rows: readonly PageRow[]): Markup {
  const measured = rows.filter(({ n }) => n > 0);
  const longestMs = Math.max(1, ...measured.flatMap(({ baseline, scheme }) => [total(baseline), total(scheme)]).filter(Number.isFinite));
  return markup`<p class="shares-key">${SHARES.map(({ name }) => markup`<span class="share ${name}"></span>${name} `)}</p>
  <div class="shares">${measured.map((row) => markup`<b>${row.page}</b><span>${[row.baseline, row.scheme].map((side) => bar(side, longestMs))}</span>`)}</div>`;
}

function bar(side: PageSide, longestMs: number): Markup {
  const label = side.loads[0]?.scheme ?? '';
  return markup`<span class="bar" title="${label}: ${SHARES.map(({ key, name }) => `${name} ${formatMs(side[key])}`).join(', ')}">${SHARES.map(({ key, name }) => markup`<span class="share ${name}" style="width:${((PERCENT * side[key]) / longestMs).toFixed(2)}%"></span>`)}<small>${label} ${formatMs(side.isrtMs)}</small></span>`;
}

function total({ neededMs, wasteMs, idleMs }: PageSide): number {
  return neededMs + wasteMs + idleMs;
}
