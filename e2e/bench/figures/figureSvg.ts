import type { Markup } from '../../report/markup.ts';
import { NOT_MEASURED, type Estimate } from '../results.ts';
import { drawing } from './drawing.ts';
import type { PlotLine } from './linePlot.ts';
import type { Figure, PointResult } from './results.ts';
import { schemeName, schemeStyle } from './schemeStyle.ts';
import type { Sweep } from './sweeps.ts';

const MS_PER_S = 1_000;

/** One figure: the gain over the baseline at the left, the times at the right. */
export function figureSvg(sweep: Sweep, figure: Figure): Markup {
  const { label, unit, scale } = sweep.axis;
  const x = { label: unit === '' ? label : `${label}, ${unit}`, scale, ticks: sweep.points.map((point) => point.x) };
  const gains = linesOf(figure, ({ gain }) => gain ?? NOT_MEASURED).filter((_, place) => figure.lines[place]?.scheme !== figure.baseline);
  const times = linesOf(figure, ({ isrtMs }) => isrtMs);
  return drawing({
    title: sweep.title,
    label: `${sweep.title}: gain and time to the first screen`,
    legend: figure.lines.map(({ scheme }, place) => ({ name: schemeName(scheme), style: schemeStyle(scheme, place) })),
    panels: [
      { title: `Gain over ${schemeName(figure.baseline)} (higher is better)`, x, y: { format: (value) => `${Math.round(value * 1_000) / 10} %` }, lines: gains },
      { title: 'Time to the first screen, ISRT (lower is better)', x, y: { format: (value) => `${value / MS_PER_S} s` }, lines: times },
    ],
  });
}

function linesOf({ lines }: Figure, pick: (point: PointResult) => Estimate): PlotLine[] {
  return lines.map(({ scheme, points }, place) => ({ style: schemeStyle(scheme, place), points: points.map((point) => ({ x: point.x, y: pick(point) })) }));
}
