import type { HeldSchemes } from '../platform/gate.ts';
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
  /**
   * Whether the helper orders requests of https:, which come to it all at once, over HTTP/2. What it carries of http:
   * keeps one of the few requests that a browser has under way to a server, so its order is made before, at the gate
   * (docs/adr/0035).
   */
  readonly ordersHttps: boolean;
  /** Whether the user wants the helper's connections: the link is watched, as a slow one brings them back. */
  readonly wantsConnections: boolean;
}

/**
 * Which requests for images are held, and what is watched for it. Each watched request costs messages between two
 * processes (docs/adr/0018).
 */
export function helpExtent({ isEnabled, hasAccess, hasGate, pays, ordersHttps, wantsConnections }: Circumstances): { readonly held: HeldSchemes; readonly watched: WatchExtent } {
  if (!isEnabled) return { held: 'none', watched: 'nothing' };
  if (!hasGate || !hasAccess || !pays) return { held: 'none', watched: (hasGate && hasAccess) || wantsConnections ? 'layoutFiles' : 'nothing' };
  return ordersHttps ? { held: 'http', watched: 'http' } : { held: 'all', watched: 'all' };
}
