import { patienceMs, type LinkEstimate } from '../estimation/link.ts';
import { admitAll, admitWithinWindow } from './admission.ts';
import { balancedQueues } from './balancedQueues.ts';
import { connectionsByBytes, equalConnections } from './connectionBudget.ts';
import type { FetchScheme } from './fetchScheduler.ts';
import { roundRobinQueues } from './roundRobinQueues.ts';

/**
 * The parts of the report's scheme ALL (NSF report, section VI). The product has them all on; the benchmark switches
 * single ones off.
 */
export interface SchedulingParts {
  /** PF: what the first screen does not wait for is asked for within a window only. */
  readonly prioritizing: boolean;
  /** OR: objects are dealt to connections by size. */
  readonly reordering: boolean;
  /** CM: servers get connections by the bytes that are asked of them. */
  readonly connectionManagement: boolean;
}

/** The report's timers phi and delta: "well under dozens of ms" (NSF report, section VI). */
const COLLECT_MS = 10;

/** On a fast link a wait costs more than any order brings. */
const COLLECT_RTTS = 1 / 15;

/** @param link asked at each decision */
export function fetchScheme({ prioritizing, reordering, connectionManagement }: SchedulingParts, link: () => LinkEstimate): FetchScheme {
  return {
    queues: reordering ? balancedQueues : roundRobinQueues,
    budget: connectionManagement ? connectionsByBytes : equalConnections,
    admission: prioritizing ? admitWithinWindow(link) : admitAll,
    patienceMs: () => patienceMs(link()),
    collectMs: () => (reordering || connectionManagement ? Math.min(COLLECT_MS, COLLECT_RTTS * link().rttMs) : 0),
  };
}
