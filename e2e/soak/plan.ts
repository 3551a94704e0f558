import { seededRandom } from '../analysis/random.ts';
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
const LOADS_PER_BROWSER = 10;

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
  return Array.from({ length: Math.ceil(loads / LOADS_PER_BROWSER) }, (_, index) => {
    const turn = TURNS[(first + index) % TURNS.length] as (typeof TURNS)[number];
    const faults = FAULTS.filter((fault) => (fault !== 'helperKilled' && fault !== 'driverKilled') || (carries(turn.mode) && (fault === 'helperKilled' || hasDriver)));
    const from = index * LOADS_PER_BROWSER;
    const count = Math.min(LOADS_PER_BROWSER, loads - from);
    return { ...turn, loads: Array.from({ length: count }, (__, i) => ({ number: from + i, fault: pick(faults), moment: pick(MOMENTS) })) };
  });
}

/** What there is to see of a load. */
export interface Observed {
  /** What the page's own script has told. */
  readonly page: unknown;
  /** Method, scheme, host and path of each request that a server got. */
  readonly requests: readonly string[];
}

/** What differs from the stock browser's load: objects lost or fetched twice, and what the page saw. */
export function violationsOf(stock: Observed, seen: Observed): string[] {
  const times = (requests: readonly string[], name: string): number => requests.filter((request) => request === name).length;
  const names = [...new Set([...stock.requests, ...seen.requests])].sort();
  const counts = names.flatMap((name) => {
    const [expected, got] = [times(stock.requests, name), times(seen.requests, name)];
    return expected === got ? [] : [`${name}: asked for ${got} times instead of ${expected}`];
  });
  const [expected, got] = [JSON.stringify(stock.page), JSON.stringify(seen.page)];
  return expected === got ? counts : [...counts, `the page saw ${got} instead of ${expected}`];
}
