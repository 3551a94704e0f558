import { REFERENCE, type Condition } from './condition.ts';

/** One of the report's figures: what varies, and everything else as in REFERENCE unless its note says so. */
export interface Sweep {
  readonly name: SweepName;
  readonly title: string;
  readonly axis: { readonly label: string; readonly unit: string; readonly scale: 'linear' | 'log' };
  /** By increasing x; the first and the last make the quick run. */
  readonly points: readonly SweepPoint[];
  /** What the report's figure shows (NSF report, section VI-D). */
  readonly report: string;
  /** In what this figure is not the report's. */
  readonly note: string | null;
}

export interface SweepPoint {
  readonly x: number;
  readonly condition: Condition;
}

export const SWEEP_NAMES = ['object-size-variance', 'object-count', 'connections', 'servers', 'bandwidth', 'rtt'] as const;
export type SweepName = (typeof SWEEP_NAMES)[number];

const BYTES_PER_KB = 1_000;
const OFF_SCREEN_PER_IN_VIEW = REFERENCE.page.offScreen / REFERENCE.page.inView;

/** The report's six figures, in its order: 14 (a), (b), 15 (a), (b), 16 (a), (b). */
export const SWEEPS: readonly Sweep[] = [
  {
    name: 'object-size-variance',
    title: 'Variance of object sizes',
    axis: { label: 'Standard deviation of object size', unit: 'kB', scale: 'linear' },
    points: [0, 4, 8, 12].map((x) => ({ x, condition: withPage({ sdBytes: x * BYTES_PER_KB }) })),
    report: 'Figure 14 (a): everything is slower with larger variance; together the mechanisms take up to 30 % off.',
    note: null,
  },
  {
    name: 'object-count',
    title: 'Number of objects',
    axis: { label: 'Images in the first screen', unit: '', scale: 'linear' },
    points: [6, 12, 18, 24].map((x) => ({ x, condition: withPage({ inView: x, offScreen: x * OFF_SCREEN_PER_IN_VIEW }) })),
    report: 'Figure 14 (b): response times grow with the number of objects, and so does what the mechanisms save.',
    note: `${OFF_SCREEN_PER_IN_VIEW} images are off screen for each one in view.`,
  },
  {
    name: 'connections',
    title: 'Connections per server',
    axis: { label: 'Connections to the one server', unit: '', scale: 'linear' },
    points: [1, 2, 4, 6, 8].map((x) => ({ x, condition: { ...withPage({ servers: 1 }), helperConnections: x } })),
    report: 'Figure 15 (a), one server: up to 20 % off; more than four connections help neither side.',
    note: 'Only the helper’s connections vary: the stock browser always has six, as that number can not be changed in Chromium, so its line is a reference measured again at each point. '
      + 'PF is the helper’s here (pf-tunnel). The browser asks for at most six objects of a server at once; beyond six connections only what the helper foresees (ALL) can use more. '
      + 'What ships opens up to six; the others are the same bundle with that one constant changed.',
  },
  {
    name: 'servers',
    title: 'Number of servers',
    axis: { label: 'Servers', unit: '', scale: 'log' },
    points: [1, 2, 4, 8].map((x) => ({ x, condition: withPage({ servers: x }) })),
    report: 'Figure 15 (b): more servers are not always faster; the gain is larger with more of them.',
    note: 'A server’s share of the images falls with its number (1, 1/2, 1/3, ...).',
  },
  {
    name: 'bandwidth',
    title: 'Bandwidth',
    axis: { label: 'Rate of the link', unit: 'kbit/s', scale: 'log' },
    points: [200, 400, 800, 1_600, 3_200].map((x) => ({ x, condition: { ...REFERENCE, kbitPerSecond: x } })),
    report: 'Figure 16 (a): the gain is larger the smaller the bandwidth.',
    note: 'The same rate both ways.',
  },
  {
    name: 'rtt',
    title: 'Round-trip time',
    axis: { label: 'Round trip of the link', unit: 'ms', scale: 'log' },
    points: [50, 150, 300, 600].map((x) => ({ x, condition: { ...REFERENCE, rttMs: x } })),
    report: 'Figure 16 (b): about 20 % off at every round trip.',
    note: null,
  },
];

/** Fewer points: the ends. */
export function quickSweep(sweep: Sweep): Sweep {
  return { ...sweep, points: sweep.points.filter((_, place) => place === 0 || place === sweep.points.length - 1) };
}

function withPage(change: Partial<Condition['page']>): Condition {
  return { ...REFERENCE, page: { ...REFERENCE.page, ...change } };
}
