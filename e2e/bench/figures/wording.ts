import { formatMs, formatPercent } from '../../report/format.ts';
import { NOT_MEASURED } from '../results.ts';
import { REFERENCE } from './condition.ts';
import type { Figure, FigureResults, PointResult } from './results.ts';
import { schemeName } from './schemeStyle.ts';
import type { Sweep } from './sweeps.ts';

const BYTES_PER_KB = 1_000;

/** How intervals of so few pairs are to be read. */
export const INTERVALS = 'Gain: 1 − ISRT ratio, median of pairs; time: median of loads. Intervals: 95 %, percentile bootstrap over the draws of the page. With three draws they are the least and the greatest, with one they say nothing.';

/** What is the same at every point of a figure, in words. */
export function constantsOf(sweep: Sweep): string {
  const { page, kbitPerSecond, rttMs } = REFERENCE;
  const perServer = sweep.name === 'connections' ? 1 : page.servers;
  const parts = [
    ...(sweep.name === 'object-count' ? [] : [`${page.inView} images in view and ${page.offScreen} below`]),
    `${page.meanBytes / BYTES_PER_KB} kB on average${sweep.name === 'object-size-variance' ? '' : ` (deviation ${page.sdBytes / BYTES_PER_KB} kB)`}`,
    ...(sweep.name === 'servers' ? [] : [`${perServer} ${perServer === 1 ? 'server' : 'servers'} of plain HTTP/1.1`]),
    ...(sweep.name === 'bandwidth' ? [] : [`${kbitPerSecond} kbit/s both ways`]),
    ...(sweep.name === 'rtt' ? [] : [`round trip ${rttMs} ms`]),
    'no loss',
  ];
  return parts.join(', ');
}

/** The table of a figure: a point a row. */
export function tableOf(sweep: Sweep, { baseline, lines }: Figure): { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const { label, unit } = sweep.axis;
  const others = lines.filter(({ scheme }) => scheme !== baseline);
  const times = lines.map(({ scheme }) => `ISRT ${schemeName(scheme)}`);
  const head = [unit === '' ? label : `${label}, ${unit}`, 'pairs', ...others.map(({ scheme }) => `gain ${schemeName(scheme)} [95 %]`), ...times];
  const rows = sweep.points.map(({ x }) => {
    const at = (points: readonly PointResult[]) => points.find((point) => point.x === x);
    const pairs = others.map(({ points }) => at(points)?.n ?? 0);
    const gains = others.map(({ points }) => at(points)?.gain ?? NOT_MEASURED);
    const [fewest, most] = [Math.min(...pairs), Math.max(...pairs)];
    return [String(x), fewest === most ? String(most) : `${fewest} to ${most}`, ...gains.map((gain) => `${formatPercent(gain.value)} [${percentOnly(gain.low)}, ${percentOnly(gain.high)}]`), ...lines.map(({ points }) => formatMs(at(points)?.isrtMs.value))];
  });
  return { head, rows };
}

/** What went wrong, a line each: test beds that failed, and loads. */
export function failuresOf({ testbeds, loads }: FigureResults): string[] {
  return [
    ...testbeds.flatMap(({ name, error }) => (error === null ? [] : [`${name}: ${error.code}: ${error.message}. ${error.next}`])),
    ...loads.flatMap(({ page, scheme, run, attempt, failed, failure }) => (failed === null ? [] : [`${page}, ${scheme}, draw ${run}, attempt ${attempt}: ${failed}: ${failure ?? ''}`])),
    ...loads.flatMap(({ page, scheme, run, objectsLost, objectsFetchedTwice }) => {
      const faults = [...(objectsLost ? [`${objectsLost} lost`] : []), ...(objectsFetchedTwice ? [`${objectsFetchedTwice} fetched twice`] : [])];
      return faults.length === 0 ? [] : [`${page}, ${scheme}, draw ${run}: ${faults.join(', ')}`];
    }),
  ];
}

/** An interval's end: the unit stands with the value. */
function percentOnly(fraction: number | null): string {
  return formatPercent(fraction).replace(' %', '');
}
