import { markup, type Markup } from '../../report/markup.ts';
import type { Estimate } from '../results.ts';
import { linePlot, markerAt, type Frame, type PlotLine } from './linePlot.ts';
import type { Figure, Line, PointResult } from './results.ts';
import { schemeName, schemeStyle } from './schemeStyle.ts';
import type { Sweep } from './sweeps.ts';

const WIDTH = 980;
const HEIGHT = 420;
const AXES_TOP = 104;
const AXES_BOTTOM = HEIGHT - 58;
const GAIN_FRAME: Frame = { left: 62, right: 478, top: AXES_TOP, bottom: AXES_BOTTOM };
const ISRT_FRAME: Frame = { left: 548, right: WIDTH - 16, top: AXES_TOP, bottom: AXES_BOTTOM };
const LEGEND_Y = 56;
const LEGEND_LINE_PX = 26;
const LEGEND_GAP_PX = 24;
/** Of the legend's letters, roughly. */
const LETTER_PX = 6.8;
const MS_PER_S = 1_000;

const NOTHING: Estimate = { value: null, low: null, high: null };

/** One figure as an SVG file that stands by itself: the gain over the baseline at the left, the times at the right. Colours are fixed, on white, for documents as well as pages. */
export function figureSvg(sweep: Sweep, figure: Figure): Markup {
  const { label, unit, scale } = sweep.axis;
  const x = { label: unit === '' ? label : `${label}, ${unit}`, scale, ticks: sweep.points.map((point) => point.x) };
  const gains = linesOf(figure, ({ gain }) => gain ?? NOTHING).filter((_, place) => figure.lines[place]?.scheme !== figure.baseline);
  const times = linesOf(figure, ({ isrtMs }) => isrtMs);
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, 'Segoe UI', 'Liberation Sans', sans-serif" font-size="13" role="img" aria-label="${sweep.title}: gain and time to the first screen">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${GAIN_FRAME.left}" y="28" font-size="17" font-weight="650" fill="#1c2024">${sweep.title}</text>
${legend(figure.lines)}
${linePlot({ title: `Gain over ${schemeName(figure.baseline)} (higher is better)`, x, y: { format: (value) => `${Math.round(value * 1_000) / 10} %` }, lines: gains }, GAIN_FRAME)}
${linePlot({ title: 'Time to the first screen, ISRT (lower is better)', x, y: { format: (value) => `${value / MS_PER_S} s` }, lines: times }, ISRT_FRAME)}
</svg>
`;
}

function linesOf({ lines }: Figure, pick: (point: PointResult) => Estimate): PlotLine[] {
  return lines.map(({ scheme, points }, place) => ({ style: schemeStyle(scheme, place), points: points.map((point) => ({ x: point.x, y: pick(point) })) }));
}

function legend(lines: readonly Line[]): Markup {
  let x = GAIN_FRAME.left;
  return markup`${lines.map(({ scheme }, place) => {
    const { colour, marker } = schemeStyle(scheme, place);
    const name = schemeName(scheme);
    const at = x;
    x += LEGEND_LINE_PX + 6 + name.length * LETTER_PX + LEGEND_GAP_PX;
    return markup`<line x1="${at}" x2="${at + LEGEND_LINE_PX}" y1="${LEGEND_Y}" y2="${LEGEND_Y}" stroke="${colour}" stroke-width="1.8"/>${markerAt(marker, colour, at + LEGEND_LINE_PX / 2, LEGEND_Y)}<text x="${at + LEGEND_LINE_PX + 6}" y="${LEGEND_Y + 4.5}" fill="#1c2024">${name}</text>`;
  })}`;
}
