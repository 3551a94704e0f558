import type { LinkEstimate } from '../estimation/link.ts';
import { admitAll, admitWithinWindow } from './admission.ts';
import { balancedQueues } from './balancedQueues.ts';
import { connectionsByBytes, equalConnections } from './connectionBudget.ts';
import type { FetchScheme } from './fetchScheduler.ts';
import { roundRobinQueues } from './roundRobinQueues.ts';
import type { SchemeName } from './schemeNames.ts';

/** The report's timers phi and delta: "well under dozens of ms" (NSF report, section VI). */
const COLLECT_MS = 10;

/** On a fast link a wait costs more than any order brings. */
const COLLECT_RTTS = 1 / 15;
/** As for the gate (transferTable.ts): servers that answer at all mostly do sooner. */
const PATIENCE_RTTS = 4;
const MIN_PATIENCE_MS = 250;

/**
 * The report's schemes by name.
 *
 * @param link asked at each decision
 */
export function fetchScheme(name: SchemeName, link: () => LinkEstimate): FetchScheme {
  const reorders = name === 'pf+or' || name === 'all';
  const managesConnections = name === 'pf+cm' || name === 'all';
  return {
    queues: reorders ? balancedQueues : roundRobinQueues,
    budget: managesConnections ? connectionsByBytes : equalConnections,
    admission: name === 'conv' ? admitAll : admitWithinWindow(link),
    patienceMs: () => Math.max(MIN_PATIENCE_MS, PATIENCE_RTTS * link().rttMs),
    collectMs: () => (reorders || managesConnections ? Math.min(COLLECT_MS, COLLECT_RTTS * link().rttMs) : 0),
  };
}
