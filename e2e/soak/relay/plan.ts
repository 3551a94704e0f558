import { seededRandom } from '../../../shared/src/statistics/random.ts';

/** What is done to the relay in the middle of a load: nothing; it is killed and stays away; it is stopped and started anew; its line carries nothing any more, and nobody says so; its line is slow from then on. */
export const FAULTS = ['none', 'killed', 'restarted', 'blackholed', 'slowed'] as const;
export type Fault = (typeof FAULTS)[number];
/** How requests go by the relay: it makes them, or it carries connections. */
export const MODES = ['terminated', 'tunnel'] as const;
export type Mode = (typeof MODES)[number];

/** One load with a fault, behind one of the same page without. */
export interface PlannedLoad {
  readonly number: number;
  readonly fault: Fault;
  readonly mode: Mode;
  /** When, as a share of what the load without takes. */
  readonly at: number;
  /** Of the page. */
  readonly seed: number;
}

/** The loads of a run from one on; the same seed gives the same ones, whatever part of a run they are in. */
export function planLoads(first: number, count: number, seed: number): PlannedLoad[] {
  const random = seededRandom(seed);
  const all = Array.from({ length: first + count }, (_, number): PlannedLoad => ({
    number,
    fault: FAULTS[number % FAULTS.length] ?? 'none',
    mode: MODES[Math.floor(number / FAULTS.length) % MODES.length] ?? 'tunnel',
    at: random(),
    seed: Math.floor(random() * 2 ** 31),
  }));
  return all.slice(first);
}
