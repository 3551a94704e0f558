import type { WatchExtent } from './networkWatcher.ts';

/** What decides how much is done for pages. */
export interface Circumstances {
  /** The user's switch. */
  readonly isEnabled: boolean;
  /** Without access to pages no content script runs, nobody could say where images stand, and requests are not told of. */
  readonly hasAccess: boolean;
  /** Whether this browser lets the extension hold requests. */
  readonly hasGate: boolean;
  /** Whether the link is so slow that an order gains more than it costs. */
  readonly pays: boolean;
  /** Whether the user wants the helper's connections, or his relay: the link is watched, as a slow one brings them back. */
  readonly wantsConnections: boolean;
  /** Whether the user wants the data saver for any page. A fast link may cost money, too. */
  readonly savesData: boolean;
}

/** How much is done for pages. */
export interface HelpExtent {
  /** Which images are held until they may go: all, those of the data saver's pages, or none. */
  readonly held: 'all' | 'saved' | 'nothing';
  readonly watched: WatchExtent;
}

/**
 * Which images are held, and what is watched for it. Each watched request costs messages between two processes
 * (docs/adr/0018).
 */
export function helpExtent({ isEnabled, hasAccess, hasGate, pays, wantsConnections, savesData }: Circumstances): HelpExtent {
  if (!isEnabled || !hasAccess) return { held: 'nothing', watched: 'nothing' };
  if (!hasGate) return { held: 'nothing', watched: wantsConnections ? 'layoutFiles' : 'nothing' };
  if (!pays) return { held: savesData ? 'saved' : 'nothing', watched: 'layoutFiles' };
  return { held: 'all', watched: 'all' };
}
