import type { Flow, ServedRequest } from '../metrics/testbed.ts';
import { NS_PER_MS } from './arrival.ts';

type Served = Pick<ServedRequest, 'client' | 'server' | 'startNs' | 'endNs' | 'streamEnd'>;

/**
 * When the link had delivered the first byte of each response, in CLOCK_MONOTONIC milliseconds. Only where a connection
 * has one response after the other (HTTP/1.1) is it known where one begins in its stream; the others are left out.
 */
export function firstBytes<Request extends Served>(served: readonly Request[], flows: readonly Flow[]): Map<Request, number> {
  const flowsOf = Map.groupBy(flows, ({ client, server }) => `${client} ${server}`);
  const first = new Map<Request, number>();
  for (const [connection, requests] of Map.groupBy(served, ({ client, server }) => `${client} ${server}`)) {
    const inOrder = requests.toSorted((a, b) => a.startNs - b.startNs);
    const isMultiplexed = inOrder.some(({ startNs }, place) => startNs < (inOrder[place - 1]?.endNs ?? -Infinity));
    if (isMultiplexed) continue;
    inOrder.forEach((request, place) => {
      const begin = place === 0 ? 0 : inOrder[place - 1]?.streamEnd ?? null;
      if (begin === null) return;
      const steps = flowsOf.get(connection)?.flatMap((flow) => flow.steps) ?? [];
      // handshakes of TLS are before the request
      const step = steps.find(([ns, bytes]) => ns >= request.startNs && bytes > begin);
      if (step !== undefined) first.set(request, step[0] / NS_PER_MS);
    });
  }
  return first;
}
