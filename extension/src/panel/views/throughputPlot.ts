import uPlot from 'uplot';
import { t } from '../../ui/texts.ts';
import { BUCKET_MS, rateOf } from '../model/throughput.ts';
import { formatMs, formatRate } from '../../ui/format.ts';
import type { Palette } from './palette.ts';
import type { PanelState, View } from './panelState.ts';

const AXIS_HEIGHT = 28;
const AXIS_WIDTH = 84;

/** What came when, of what the first screen needs and of the rest, with the first screen and the link's rate as it was seen. */
export class ThroughputPlot implements View {
  private readonly element: HTMLElement;
  private palette: Palette;
  private plot: uPlot | null = null;
  private state: PanelState | null = null;

  constructor(element: HTMLElement, palette: Palette) {
    [this.element, this.palette] = [element, palette];
    new ResizeObserver(() => this.plot?.setSize(this.size)).observe(element);
  }

  setPalette(palette: Palette): void {
    this.palette = palette;
    this.plot?.destroy();
    this.plot = null;
    if (this.state !== null) this.update(this.state);
  }

  update(state: PanelState): void {
    this.state = state;
    const data = dataOf(state);
    this.element.setAttribute('aria-label', summaryOf(state));
    if (this.plot === null) this.plot = new uPlot(this.options, data, this.element);
    else this.plot.setData(data);
  }

  private get size(): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.element;
    // without its legend
    return { width: Math.max(1, clientWidth), height: Math.max(60, clientHeight - AXIS_HEIGHT) };
  }

  private get options(): uPlot.Options {
    const { palette } = this;
    const axis = { stroke: palette.quiet, grid: { stroke: palette.line, width: 1 }, ticks: { stroke: palette.line, width: 1 }, font: '11px system-ui, sans-serif' };
    const points = { show: false };
    const rate = (_: uPlot, value: number | null): string => formatRate(value);
    return {
      ...this.size,
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(1, most) * 1.1] } },
      axes: [
        { ...axis, size: AXIS_HEIGHT, values: (_, values) => values.map(formatMs) },
        { ...axis, size: AXIS_WIDTH, values: (_, values) => values.map(formatRate) },
      ],
      series: [
        { label: t('panelTime'), value: (_, value: number | null) => formatMs(value) },
        { label: t('panelAll'), stroke: palette.classes.other, fill: palette.classes.other, width: 1, points, value: rate },
        { label: t('panelNeeded'), stroke: palette.classes.inView, fill: palette.classes.inView, width: 1, points, value: rate },
        { label: t('panelLinkRate'), stroke: palette.accent, width: 1.5, dash: [6, 4], points, value: rate },
      ],
      cursor: { drag: { x: false, y: false } },
      hooks: { draw: [(plot) => this.drawFirstScreen(plot)] },
    };
  }

  private drawFirstScreen(plot: uPlot): void {
    const firstScreenMs = this.state?.model.firstScreenMs ?? null;
    if (firstScreenMs === null) return;
    const { ctx, bbox } = plot;
    const x = plot.valToPos(firstScreenMs, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    ctx.save();
    ctx.fillStyle = this.palette.good;
    ctx.fillRect(x - 1, bbox.top, 2, bbox.height);
    ctx.restore();
  }
}

/** Needed lies on nothing, the rest on it: the upper line is all that came. */
function dataOf({ model: { throughput: { neededBytes, otherBytes }, rate } }: PanelState): uPlot.AlignedData {
  const times = neededBytes.map((_, bucket) => bucket * BUCKET_MS);
  const needed = neededBytes.map((bytes) => rateOf(bytes, BUCKET_MS));
  const all = otherBytes.map((bytes, bucket) => rateOf(bytes, BUCKET_MS) + (needed[bucket] ?? 0));
  return [times, all, needed, times.map(() => rate?.bitsPerSecond ?? null)];
}

function summaryOf({ model }: PanelState): string {
  return t('panelThroughputLabel', formatMs(model.endMs), formatRate(model.rate?.bitsPerSecond ?? null), formatMs(model.firstScreenMs));
}
