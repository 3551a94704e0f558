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
  /** Requests that go by the helper, which orders them itself: in a tunnel it can not order https:. */
  readonly carried: 'none' | 'http' | 'all';
  /** Whether the user wants the helper's connections: the link is watched, as a slow one brings them back. */
  readonly wantsConnections: boolean;
}

/**
 * Which requests for images are held, and what is watched for it. Each watched request costs messages between two
 * processes (docs/adr/0018).
 */
export function helpExtent({ isEnabled, hasAccess, hasGate, pays, carried, wantsConnections }: Circumstances): { readonly held: HeldSchemes; readonly watched: WatchExtent } {
  if (!isEnabled) return { held: 'none', watched: 'nothing' };
  const held = !hasGate || !hasAccess || !pays || carried === 'all' ? 'none' : carried === 'http' ? 'https' : 'all';
  if (held !== 'none') return { held, watched: 'all' };
  return { held, watched: (hasGate && hasAccess) || wantsConnections ? 'layoutFiles' : 'nothing' };
}
