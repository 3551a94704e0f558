import { formatRatio, tenths } from './format.ts';
import { markup, type Markup } from './markup.ts';
import type { PageRow } from './pageRows.ts';

const WIDTH = 860;
const LABEL_WIDTH = 170;
const VALUE_WIDTH = 150;
const ROW_HEIGHT = 24;
const TOP = 34;
const BOTTOM = 40;
const CANDIDATE_TICKS = [0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 4, 8];
const MIN_TICK_GAP_PX = 42;

/** Ratios on a logarithmic axis, so that twice as fast and half as fast are equally far from 1. */
interface Axis {
  readonly x: (ratio: number) => number;
  readonly ticks: readonly number[];
}

/** Every page's pairs (dots), their median (bar) and its interval (line), with the overall ratio at the bottom. */
export function forestPlot(rows: readonly PageRow[], overall: PageRow['isrt'], metricName: string): Markup {
  const measured = rows.filter(({ isrt }) => isrt.value !== null);
  if (measured.length === 0) return markup`<p class="empty">No pair was measured.</p>`;
  const axis = makeAxis([overall.low, overall.high, ...measured.flatMap(({ pairs, isrt }) => [...pairs, isrt.low, isrt.high])]);
  const bottom = TOP + (measured.length + 1) * ROW_HEIGHT + 10;
  const height = bottom + BOTTOM;
  return markup`<svg class="forest" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Ratio of ${metricName} by page">
  <rect class="later" x="${axis.x(1)}" y="${TOP - 8}" width="${Math.max(0, WIDTH - VALUE_WIDTH - axis.x(1))}" height="${bottom - TOP + 8}"/>
  <text class="direction" x="${axis.x(1) - 10}" y="${TOP - 16}" text-anchor="end">← sooner than stock</text>
  <text class="direction" x="${axis.x(1) + 10}" y="${TOP - 16}">later →</text>
  ${axis.ticks.map((tick) => tickLine(tick, axis, bottom))}
  ${measured.map((row, place) => pageLine(row, axis, TOP + (place + 0.5) * ROW_HEIGHT))}
  ${overallLine(overall, axis, TOP + (measured.length + 0.5) * ROW_HEIGHT + 10)}
</svg>`;
}

function makeAxis(values: readonly (number | null)[]): Axis {
  const positive = values.filter((value): value is number => value !== null && value > 0);
  const low = Math.min(0.8, ...positive) * 0.95;
  const high = Math.max(1.25, ...positive) * 1.05;
  const span = WIDTH - LABEL_WIDTH - VALUE_WIDTH;
  const x = (ratio: number) => tenths(LABEL_WIDTH + (span * Math.log(ratio / low)) / Math.log(high / low));
  const ticks: number[] = [1];
  for (const candidate of CANDIDATE_TICKS) {
    const free = ticks.every((tick) => Math.abs(x(tick) - x(candidate)) >= MIN_TICK_GAP_PX);
    if (candidate >= low && candidate <= high && free) ticks.push(candidate);
  }
  return { x, ticks };
}

function tickLine(tick: number, { x }: Axis, bottom: number): Markup {
  return markup`<line class="${tick === 1 ? 'one' : 'tick'}" x1="${x(tick)}" x2="${x(tick)}" y1="${TOP - 8}" y2="${bottom}"/><text class="axis" x="${x(tick)}" y="${bottom + 18}" text-anchor="middle">${tick}</text>`;
}

function pageLine({ page, isrt, pairs, n }: PageRow, { x }: Axis, y: number): Markup {
  const side = (isrt.value ?? 1) > 1 ? 'worse' : 'better';
  return markup`<g class="${side}"><title>${page}: ${formatRatio(isrt.value)} (${formatRatio(isrt.low)} to ${formatRatio(isrt.high)}), ${n} pairs</title>
    <text class="name" x="${LABEL_WIDTH - 14}" y="${y + 4}" text-anchor="end">${page}</text>
    <line class="range" x1="${x(isrt.low ?? 1)}" x2="${x(isrt.high ?? 1)}" y1="${y}" y2="${y}"/>
    ${pairs.map((pair) => markup`<circle class="pair" cx="${x(pair)}" cy="${y}" r="3"/>`)}
    <rect class="mid" x="${x(isrt.value ?? 1) - 2}" y="${y - 7}" width="4" height="14" rx="2"/>
    <text class="value" x="${WIDTH - VALUE_WIDTH + 14}" y="${y + 4}">${formatRatio(isrt.value)}<tspan class="muted"> ${formatRatio(isrt.low)} – ${formatRatio(isrt.high)}</tspan></text></g>`;
}

/** The diamond of meta-analysis plots: its width is the interval. */
function overallLine({ value, low, high }: PageRow['isrt'], { x }: Axis, y: number): Markup {
  if (value === null || low === null || high === null) return markup``;
  return markup`<g class="overall"><text class="name" x="${LABEL_WIDTH - 14}" y="${y + 4}" text-anchor="end">median of pages</text>
    <polygon points="${x(low)},${y} ${x(value)},${y - 8} ${x(high)},${y} ${x(value)},${y + 8}"/>
    <text class="value" x="${WIDTH - VALUE_WIDTH + 14}" y="${y + 4}">${formatRatio(value)}<tspan class="muted"> ${formatRatio(low)} – ${formatRatio(high)}</tspan></text></g>`;
}
