import { seededRandom } from '../../shared/src/statistics/random.ts';
import type { BrowserName, Mode } from '../hostile/mode.ts';
import { carries } from '../hostile/settings.ts';

/** What is done to a load. */
export const FAULTS = ['none', 'workerStopped', 'popupToggled', 'addressChanged', 'linkLost', 'helperKilled', 'driverKilled'] as const;
export type Fault = (typeof FAULTS)[number];
/** When: before the page is opened, while an image in view is on its way, or once the first image out of view is asked for. */
export const MOMENTS = ['before', 'during', 'releasing'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Both browsers take turns, so that a short run has both. */
const TURNS = [
  { browser: 'chromium', mode: 'gate' }, { browser: 'firefox', mode: 'tunnel' }, { browser: 'chromium', mode: 'interception' },
  { browser: 'firefox', mode: 'gate' }, { browser: 'chromium', mode: 'tunnel' }, { browser: 'firefox', mode: 'interception' },
] as const satisfies readonly { browser: BrowserName; mode: Mode }[];
/** Then the browser is closed, which must leave nothing behind. */
const LOADS_PER_BROWSER = 25;

export interface PlannedLoad {
  readonly number: number;
  readonly fault: Fault;
  readonly moment: Moment;
}

/** The loads of one start of a browser. */
export interface Turn {
  readonly browser: BrowserName;
  readonly mode: Mode;
  readonly loads: readonly PlannedLoad[];
}

/** The loads of a run; the same seed gives the same ones. @param hasDriver whether one can be started here */
export function planTurns(loads: number, seed: number, hasDriver: boolean): Turn[] {
  const random = seededRandom(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const first = Math.floor(random() * TURNS.length);
  const loadsPerBrowser = Math.min(LOADS_PER_BROWSER, Math.ceil(loads / 2));
  return Array.from({ length: Math.ceil(loads / loadsPerBrowser) }, (_, index) => {
    const turn = TURNS[(first + index) % TURNS.length] as (typeof TURNS)[number];
    const faults = FAULTS.filter((fault) => (fault !== 'helperKilled' && fault !== 'driverKilled') || (carries(turn.mode) && (fault === 'helperKilled' || hasDriver)));
    const from = index * loadsPerBrowser;
    const count = Math.min(loadsPerBrowser, loads - from);
    return { ...turn, loads: Array.from({ length: count }, (__, i) => ({ number: from + i, fault: pick(faults), moment: pick(MOMENTS) })) };
  });
}
