import { beginOf, type Lane } from '../../../../shared/src/waterfall/bars.ts';
import type { PanelRequest } from './panelRequest.ts';

/** What one server had of the connections, and of what came by them. */
export interface ServerBudget {
  readonly server: string;
  readonly connections: number;
  readonly requests: number;
  readonly bytes: number;
  readonly neededBytes: number;
  /** Something of it was on the way for so long. */
  readonly busyMs: number;
  /** Of these, before the first screen: connections that brought nothing that it needs. */
  readonly uselessConnections: number;
  /** Connections of it that were at work at once, at most. */
  readonly mostAtOnce: number;
}

/** By server, in the order of the lanes. @param firstScreenMs null while that is not known: all that is known counts */
export function budgetOf(lanes: readonly Lane<PanelRequest>[], firstScreenMs: number | null): ServerBudget[] {
  return [...Map.groupBy(lanes, ({ server }) => server)].map(([server, ofServer]) => {
    const bars = ofServer.flatMap((lane) => lane.bars);
    const early = ofServer.filter((lane) => lane.bars.some((bar) => beginOf(bar) < (firstScreenMs ?? Infinity)));
    return {
      server,
      connections: ofServer.filter(({ connection }) => connection !== '').length,
      requests: bars.length,
      bytes: bars.reduce((sum, { bytes }) => sum + bytes, 0),
      neededBytes: bars.reduce((sum, { bytes, isNeeded }) => sum + (isNeeded ? bytes : 0), 0),
      busyMs: lengthOf(union(bars.map(({ startMs, endMs }) => [startMs, endMs]))),
      uselessConnections: early.filter(({ connection, bars: ofLane }) => connection !== '' && !ofLane.some(({ isNeeded }) => isNeeded)).length,
      mostAtOnce: mostAtOnce(ofServer.flatMap((lane) => union(lane.bars.map(({ startMs, endMs }) => [startMs, endMs])))),
    };
  });
}

type Interval = readonly [fromMs: number, toMs: number];

function union(intervals: readonly Interval[]): Interval[] {
  const result: [number, number][] = [];
  for (const [fromMs, toMs] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && fromMs <= last[1]) last[1] = Math.max(last[1], toMs);
    else result.push([fromMs, toMs]);
  }
  return result;
}

function lengthOf(intervals: readonly Interval[]): number {
  return intervals.reduce((sum, [fromMs, toMs]) => sum + toMs - fromMs, 0);
}

function mostAtOnce(intervals: readonly Interval[]): number {
  const steps = intervals.flatMap(([fromMs, toMs]) => [[fromMs, 1], [toMs, -1]] as const).sort(([a, up], [b, down]) => a - b || up - down);
  let [now, most] = [0, 0];
  for (const [, change] of steps) {
    now += change;
    most = Math.max(most, now);
  }
  return most;
}
