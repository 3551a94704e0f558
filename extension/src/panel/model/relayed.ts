import type { RelayUse } from '../../../../shared/src/requests/requestEvent.ts';
import type { ConnectionWay } from '../../../../shared/src/requests/requestWays.ts';
import type { PanelRequest } from './panelRequest.ts';

/** How many of a load's requests went by a relay, by what it does for them. */
export function relayedOf(requests: readonly Pick<PanelRequest, 'way'>[], connections: readonly ConnectionWay[]): Record<RelayUse, number> {
  const uses = new Map(connections.map(({ connection, relay }) => [connection, relay]));
  const counts = { tunnel: 0, requests: 0 };
  for (const { way } of requests) {
    const use = uses.get(way?.connection ?? -1) ?? null;
    if (use !== null) counts[use] += 1;
  }
  return counts;
}
