import { markup, type Markup } from '../../report/markup.ts';
import { linePlot, markerAt, type Frame, type Panel } from './linePlot.ts';
import type { LineStyle } from './schemeStyle.ts';

const WIDTH = 980;
const HEIGHT = 420;
const AXES_TOP = 104;
const AXES_BOTTOM = HEIGHT - 58;
const LEFT = 62;
const RIGHT = WIDTH - 16;
/** Between the axes of two panels; the second one's labels are in it. */
const PANEL_GAP_PX = 70;
const LEGEND_Y = 56;
const LEGEND_LINE_PX = 26;
const LEGEND_GAP_PX = 24;
/** Of the legend's letters, roughly. */
const LETTER_PX = 6.8;

export interface Drawing {
  readonly title: string;
  /** For those who can not see it. */
  readonly label: string;
  readonly legend: readonly { readonly name: string; readonly style: LineStyle }[];
  /** Side by side. */
  readonly panels: readonly Panel[];
}

/** Panels with a title and a legend as an SVG file that stands by itself. Colours are fixed, on white, for documents as well as pages. */
export function drawing({ title, label, legend, panels }: Drawing): Markup {
  return markup`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="system-ui, 'Segoe UI', 'Liberation Sans', sans-serif" font-size="13" role="img" aria-label="${label}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="28" font-size="17" font-weight="650" fill="#1c2024">${title}</text>
${drawnLegend(legend)}
${panels.map((panel, place) => linePlot(panel, frameOf(place, panels.length)))}
</svg>
`;
}

function frameOf(place: number, count: number): Frame {
  const width = (RIGHT - LEFT - PANEL_GAP_PX * (count - 1)) / count;
  const left = LEFT + place * (width + PANEL_GAP_PX);
  return { left, right: left + width, top: AXES_TOP, bottom: AXES_BOTTOM };
}

function drawnLegend(lines: Drawing['legend']): Markup {
  let x = LEFT;
  return markup`${lines.map(({ name, style: { colour, marker } }) => {
    const at = x;
    x += LEGEND_LINE_PX + 6 + name.length * LETTER_PX + LEGEND_GAP_PX;
    return markup`<line x1="${at}" x2="${at + LEGEND_LINE_PX}" y1="${LEGEND_Y}" y2="${LEGEND_Y}" stroke="${colour}" stroke-width="1.8"/>${markerAt(marker, colour, at + LEGEND_LINE_PX / 2, LEGEND_Y)}<text x="${at + LEGEND_LINE_PX + 6}" y="${LEGEND_Y + 4.5}" fill="#1c2024">${name}</text>`;
  })}`;
}
