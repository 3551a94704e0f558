import type { Flow, ServedRequest } from '../metrics/testbed.ts';

export const NS_PER_MS = 1e6;

/** When the link had delivered the last byte of each response. The browser is not asked, so nothing inside it can make this early. */
export class Arrivals {
  readonly #flows: ReadonlyMap<string, readonly Flow[]>;

  constructor(flows: readonly Flow[]) {
    this.#flows = Map.groupBy(flows, ({ client, server }) => `${client} ${server}`);
  }

  /** CLOCK_MONOTONIC ms, or null when the response never arrived whole. */
  of({ client, server, startNs, streamEnd }: Pick<ServedRequest, 'client' | 'server' | 'startNs' | 'streamEnd'>): number | null {
    if (streamEnd === null) return null;
    for (const { steps } of this.#flows.get(`${client} ${server}`) ?? []) {
      // A port may be used again: the delivery belongs to the flow that was alive after the request.
      const step = steps.find(([ns, bytes]) => bytes >= streamEnd && ns >= startNs);
      if (step) return step[0] / NS_PER_MS;
    }
    return null;
  }
}
