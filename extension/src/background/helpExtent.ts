import type { WatchExtent } from './networkWatcher.ts';

/** What decides how much is done for pages. */
export interface Circumstances {
  /** The user's switch. */
  readonly isEnabled: boolean;
  /** Without access to pages no content script runs, and nobody could say where images stand. */
  readonly hasAccess: boolean;
  /** Whether this browser lets the extension hold requests. */
  readonly hasGate: boolean;
  /** Whether the link is so slow that an order gains more than it costs. */
  readonly pays: boolean;
  /** Whether the user wants the helper's connections: the link is watched, as a slow one brings them back. */
  readonly wantsConnections: boolean;
}

/**
 * Whether images are held, and what is watched for it. Each watched request costs messages between two processes
 * (docs/adr/0018).
 */
export function helpExtent({ isEnabled, hasAccess, hasGate, pays, wantsConnections }: Circumstances): { readonly isHolding: boolean; readonly watched: WatchExtent } {
  if (!isEnabled) return { isHolding: false, watched: 'nothing' };
  if (!hasGate || !hasAccess || !pays) return { isHolding: false, watched: (hasGate && hasAccess) || wantsConnections ? 'layoutFiles' : 'nothing' };
  return { isHolding: true, watched: 'all' };
}
