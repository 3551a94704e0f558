import type { LinkEstimate } from '../estimation/link.ts';
import { admitAll, admitWithinWindow } from './admission.ts';
import { balancedQueues } from './balancedQueues.ts';
import { connectionsByBytes, equalConnections } from './connectionBudget.ts';
import type { FetchScheme } from './fetchScheduler.ts';
import { roundRobinQueues } from './roundRobinQueues.ts';

/** The report's timers phi and delta: "well under dozens of ms" (NSF report, section VI). */
const COLLECT_MS = 10;

export const SCHEME_NAMES = ['conv', 'pf', 'pf+or', 'pf+cm', 'all'] as const;
export type SchemeName = (typeof SCHEME_NAMES)[number];

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
    collectMs: reorders || managesConnections ? COLLECT_MS : 0,
  };
}
