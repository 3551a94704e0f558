import type { PageSpec } from '../../pages/sweeps/sweepPage.ts';
import { customProfile } from '../linkOptions.ts';

/** What one point of a figure was measured under. */
export interface Condition {
  readonly page: PageSpec;
  readonly kbitPerSecond: number;
  readonly rttMs: number;
  /** Connections that the helper opens to a server; null for what ships, with the browser's PF instead of the helper's. */
  readonly helperConnections: number | null;
}

/**
 * Where the sweeps cross. 18 objects in view as in the report's example (figures 11 to 13); two thirds of the page below the fold, mean and deviation of its images about equal, both
 * common; a link between umts (384 kbit/s) and 3g-fast (1.6 Mbit/s), with their round trip.
 */
export const REFERENCE: Condition = {
  page: { inView: 18, offScreen: 36, meanBytes: 8_000, sdBytes: 8_000, servers: 2 },
  kbitPerSecond: 800,
  rttMs: 150,
  helperConnections: null,
};

/** A page's name in files and results; the same for the same page. */
export function pageName({ inView, offScreen, meanBytes, sdBytes, servers }: PageSpec): string {
  return `${inView}+${offScreen}-images-of-${meanBytes}-sd-${sdBytes}-on-${servers}`;
}

/** What has to be set up anew for it: link and helper. */
export function setupName({ kbitPerSecond, rttMs, helperConnections }: Condition): string {
  return `${customProfile(kbitPerSecond, rttMs)}${helperConnections === null ? '' : `-connections-${helperConnections}`}`;
}

/** The same for conditions that are measured once for all their figures. */
export function conditionName(condition: Condition): string {
  return `${pageName(condition.page)}@${setupName(condition)}`;
}
