import { SIDES, type CountedLoad, type Side } from '../messages/measuring.ts';

const WIDTH = 640;
const LEFT = 20;
const RIGHT = 20;
/** Above its points, each row says which side it is: beside them no language has room for it. */
const LABEL_HEIGHT = 18;
const POINTS_HEIGHT = 42;
const ROW_HEIGHT = LABEL_HEIGHT + POINTS_HEIGHT;
const TOP = 4;
const AXIS_HEIGHT = 26;
/** So far apart at least, that their labels do not touch. */
const MIN_TICK_PX = 60;
/** Loads that took the same time lie on this many lines. */
const LANES = 5;
const LANE_PX = 5;
const STEPS = [1, 2, 5];
const MS_PER_SECOND = 1_000;

export interface Strip {
  readonly side: Side;
  readonly labelY: number;
  readonly y: number;
  readonly points: readonly { readonly x: number; readonly y: number; readonly load: CountedLoad }[];
  readonly medianX: number;
}

export interface Strips {
  readonly width: number;
  readonly height: number;
  readonly axisY: number;
  readonly ticks: readonly { readonly x: number; readonly ms: number }[];
  /** After the point of their seconds: as many as all of them need. */
  readonly tickDigits: number;
  /** Of the sides that have loads. */
  readonly rows: readonly Strip[];
}

/** Every load as a point on a line of time that begins at 0, a row for each side, with its median. */
export function stripsOf(counted: readonly CountedLoad[], mediansMs: Readonly<Record<Side, number>>): Strips {
  const longestMs = Math.max(1, ...counted.map(({ isrtMs }) => isrtMs));
  const span = WIDTH - LEFT - RIGHT;
  const x = (ms: number): number => LEFT + (span * ms) / longestMs;
  const rows = SIDES.map((side): Strip => {
    const labelY = TOP + SIDES.indexOf(side) * ROW_HEIGHT + LABEL_HEIGHT / 2;
    const y = labelY + (LABEL_HEIGHT + POINTS_HEIGHT) / 2;
    const points = counted.filter((load) => load.side === side).map((load, place) => ({ x: x(load.isrtMs), y: y + ((place % LANES) - (LANES - 1) / 2) * LANE_PX, load }));
    return { side, labelY, y, points, medianX: x(mediansMs[side]) };
  });
  const axisY = TOP + SIDES.length * ROW_HEIGHT;
  const stepMs = tickStep((longestMs * MIN_TICK_PX) / span);
  const ticks = Array.from({ length: Math.floor(longestMs / stepMs) + 1 }, (_, place) => ({ x: x(place * stepMs), ms: place * stepMs }));
  return { width: WIDTH, height: axisY + AXIS_HEIGHT, axisY, ticks, tickDigits: Math.max(1, Math.ceil(-Math.log10(stepMs / MS_PER_SECOND))), rows: rows.filter(({ points }) => points.length > 0) };
}

/** The next 1, 2 or 5 times a power of ten. */
function tickStep(atLeastMs: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeastMs));
  return (STEPS.find((step) => step * power >= atLeastMs) ?? 10) * power;
}
