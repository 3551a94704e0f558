import type { Markup } from '../../../report/markup.ts';
import { drawing } from '../../figures/drawing.ts';
import type { PlotLine } from '../../figures/linePlot.ts';
import { lineStyle } from '../plotLines.ts';
import type { ThroughputOptions } from './options.ts';
import type { ThroughputRow } from './summary.ts';

/** Figures 7 and 8, drawn anew; a pair for each size of A-MPDU. */
export function pictures(rows: readonly ThroughputRow[], options: ThroughputOptions): Record<string, Markup> {
  return Object.fromEntries(options.sizes.flatMap((size) => {
    const own = rows.filter((row) => row.size === size);
    const name = size.replace('/', '-');
    return [[`throughput-${name}`, overErrors(own, size, options)], [`stations-${name}`, overStations(own, size, options)]] as const;
  }));
}

function overErrors(rows: readonly ThroughputRow[], size: string, { stations, frameErrorRates }: ThroughputOptions): Markup {
  const points = rows.filter((row) => row.stations === stations && frameErrorRates.includes(row.frameErrorRate)).toSorted((a, b) => a.frameErrorRate - b.frameErrorRate);
  const x = { label: 'frame error rate', scale: 'linear', ticks: points.map(({ frameErrorRate }) => frameErrorRate).filter((rate) => rate === 0 || rate >= MIN_TICK) } as const;
  const line = (place: number, pick: (row: ThroughputRow) => ThroughputRow['fwpMbit']): PlotLine => ({ style: lineStyle(place), points: points.map((row) => ({ x: row.frameErrorRate, y: pick(row) })) });
  return drawing({
    title: `One FWP station among ${stations} with A-MPDUs of ${size} frames`,
    label: 'Throughput and speed-up over the frame error rate',
    legend: [{ name: 'FWP', style: lineStyle(0) }, { name: 'A-MPDU', style: lineStyle(1) }],
    panels: [
      { title: 'Throughput of a station (figure 7)', x, y: { format: (value) => `${value} Mbit/s` }, lines: [line(0, ({ fwpMbit }) => fwpMbit), line(1, ({ ampduMbit }) => ampduMbit)] },
      { title: 'Speed-up: FWP to A-MPDU', x, y: { format: String }, lines: [line(0, ({ speedUp }) => speedUp)] },
    ],
  });
}

/** Ticks of smaller rates would lie on one another. */
const MIN_TICK = 0.05;

function overStations(rows: readonly ThroughputRow[], size: string, { stations, contended }: ThroughputOptions): Markup {
  const counts = Array.from({ length: stations }, (_, place) => place + 1);
  const lines = contended.map((rate, place) => ({
    style: lineStyle(place),
    points: rows.filter(({ frameErrorRate }) => frameErrorRate === rate).toSorted((a, b) => a.stations - b.stations).map((row) => ({ x: row.stations, y: row.speedUp })),
  }));
  return drawing({
    title: `Speed-up over contending stations, A-MPDUs of ${size} frames (figure 8)`,
    label: 'Speed-up of FWP over the number of A-MPDU stations',
    legend: contended.map((rate, place) => ({ name: `frame error rate ${rate}`, style: lineStyle(place) })),
    panels: [{ title: 'FWP to A-MPDU', x: { label: 'A-MPDU stations', scale: 'linear', ticks: counts }, y: { format: String }, lines }],
  });
}
