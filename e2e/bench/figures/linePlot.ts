import { tenths } from '../../report/format.ts';
import { markup, type Markup } from '../../report/markup.ts';
import type { Estimate } from '../results.ts';
import { makeScale, niceTicks, type Scale } from './scale.ts';
import type { LineStyle, Marker } from './schemeStyle.ts';

export interface PlotLine {
  readonly style: LineStyle;
  readonly points: readonly { readonly x: number; readonly y: Estimate }[];
}

export interface Panel {
  readonly title: string;
  readonly x: { readonly label: string; readonly scale: 'linear' | 'log'; readonly ticks: readonly number[] };
  readonly y: { readonly format: (value: number) => string };
  readonly lines: readonly PlotLine[];
}

/** Where a panel's axes are, in pixels of the drawing. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const MAX_Y_STEPS = 6;
const X_MARGIN_PX = 24;
/** Lines stand a little apart, so that intervals at the same point can be told from one another. */
const DODGE_PX = 6;
const CAP_PX = 3;
const MARKER_PX = 4.2;
const INK = { text: '#1c2024', muted: '#626b75', grid: '#e2e5e8', zero: '#8a929a' } as const;

/** One set of axes with lines and their intervals. 0 is always on the y axis: a gain is seen for what it is. A point that was not measured leaves a gap. */
export function linePlot({ title, x, y, lines }: Panel, frame: Frame): Markup {
  const values = lines.flatMap(({ points }) => points.flatMap(({ y: { value, low, high } }) => [value, low, high])).filter((value) => value !== null);
  const ticks = niceTicks({ low: Math.min(0, ...values), high: Math.max(0, ...values) }, MAX_Y_STEPS);
  const xScale = makeScale(x.scale, { low: Math.min(...x.ticks), high: Math.max(...x.ticks) }, { low: frame.left + X_MARGIN_PX, high: frame.right - X_MARGIN_PX });
  const yScale = makeScale('linear', { low: Math.min(...ticks), high: Math.max(...ticks) }, { low: frame.bottom, high: frame.top });
  return markup`<g><text x="${frame.left}" y="${frame.top - 14}" fill="${INK.text}" font-weight="600">${title}</text>
${ticks.map((tick) => gridLine(tick, y.format(tick), tenths(yScale(tick)), frame))}
${x.ticks.map((tick) => markup`<text x="${tenths(xScale(tick))}" y="${frame.bottom + 18}" text-anchor="middle" fill="${INK.muted}" font-size="12">${tick}</text><line x1="${tenths(xScale(tick))}" x2="${tenths(xScale(tick))}" y1="${frame.bottom}" y2="${frame.bottom + 4}" stroke="${INK.zero}"/>`)}
<text x="${(frame.left + frame.right) / 2}" y="${frame.bottom + 38}" text-anchor="middle" fill="${INK.muted}">${x.label}</text>
${lines.map((line, place) => drawnLine(line, (value) => xScale(value) + (place - (lines.length - 1) / 2) * DODGE_PX, yScale))}</g>
`;
}

/** A line's marker by itself, for legends. */
export function markerAt(marker: Marker, colour: string, x: number, y: number): Markup {
  const r = MARKER_PX;
  switch (marker) {
    case 'circle':
      return markup`<circle cx="${tenths(x)}" cy="${tenths(y)}" r="${r}" fill="${colour}"/>`;
    case 'square':
      return markup`<rect x="${tenths(x - r)}" y="${tenths(y - r)}" width="${2 * r}" height="${2 * r}" fill="${colour}"/>`;
    case 'triangle':
      return markup`<path d="M${tenths(x)} ${tenths(y - r - 1)}L${tenths(x + r + 1)} ${tenths(y + r)}H${tenths(x - r - 1)}Z" fill="${colour}"/>`;
    case 'diamond':
      return markup`<path d="M${tenths(x)} ${tenths(y - r - 1)}L${tenths(x + r + 1)} ${tenths(y)}L${tenths(x)} ${tenths(y + r + 1)}L${tenths(x - r - 1)} ${tenths(y)}Z" fill="${colour}"/>`;
    case 'cross':
      return markup`<path d="M${tenths(x - r)} ${tenths(y - r)}L${tenths(x + r)} ${tenths(y + r)}M${tenths(x - r)} ${tenths(y + r)}L${tenths(x + r)} ${tenths(y - r)}" stroke="${colour}" stroke-width="2.5"/>`;
  }
}

function gridLine(tick: number, text: string, y: number, { left, right }: Frame): Markup {
  return markup`<line x1="${left}" x2="${right}" y1="${y}" y2="${y}" stroke="${tick === 0 ? INK.zero : INK.grid}"/><text x="${left - 8}" y="${y + 4}" text-anchor="end" fill="${INK.muted}" font-size="12">${text}</text>`;
}

function drawnLine({ style: { colour, marker }, points }: PlotLine, xOf: Scale, yOf: Scale): Markup {
  const measured = points.flatMap(({ x, y: { value, low, high } }) => (value === null ? [] : [{ x: xOf(x), y: yOf(value), low: yOf(low ?? value), high: yOf(high ?? value) }]));
  return markup`<path d="${pathOf(points, xOf, yOf)}" fill="none" stroke="${colour}" stroke-width="1.8"/>
${measured.map(({ x, low, high }) => markup`<path d="M${tenths(x)} ${tenths(low)}V${tenths(high)}M${tenths(x - CAP_PX)} ${tenths(low)}h${2 * CAP_PX}M${tenths(x - CAP_PX)} ${tenths(high)}h${2 * CAP_PX}" stroke="${colour}" stroke-width="1.2" opacity="0.7"/>`)}
${measured.map(({ x, y }) => markerAt(marker, colour, x, y))}
`;
}

/** Joins neighbours that were both measured. */
function pathOf(points: PlotLine['points'], xOf: Scale, yOf: Scale): string {
  return points.map(({ x, y: { value } }, place) => {
    if (value === null) return '';
    const before = points[place - 1]?.y.value ?? null;
    return `${before === null ? 'M' : 'L'}${tenths(xOf(x))} ${tenths(yOf(value))}`;
  }).join('');
}
