import type { RequestEnd } from '../metrics/artifacts.ts';
import type { Flow, ServedRequest } from '../metrics/testbed.ts';
import { isRelayed } from './ways.ts';

export const NS_PER_MS = 1e6;

/**
 * When the link had delivered the last byte of each response. The browser is not asked, so nothing inside it can make this early; but for what
 * a relay has asked for: its streams are inside another connection, and when the browser had the whole answer is the earliest that is known.
 */
export class Arrivals {
  readonly #flows: ReadonlyMap<string, readonly Flow[]>;
  readonly #ends: ReadonlyMap<string, readonly RequestEnd[]>;

  constructor(flows: readonly Flow[], ends: readonly RequestEnd[] = []) {
    this.#flows = Map.groupBy(flows, ({ client, server }) => `${client} ${server}`);
    this.#ends = Map.groupBy(ends.toSorted((a, b) => a.atMs - b.atMs), ({ url }) => url);
  }

  /** CLOCK_MONOTONIC ms, or null when the response never arrived whole. */
  of({ client, server, url, startNs, streamEnd }: Pick<ServedRequest, 'client' | 'server' | 'url' | 'startNs' | 'streamEnd'>): number | null {
    if (streamEnd === null) return null;
    if (isRelayed({ client })) return this.#ends.get(url)?.find(({ atMs }) => atMs * NS_PER_MS >= startNs)?.atMs ?? null;
    for (const { steps } of this.#flows.get(`${client} ${server}`) ?? []) {
      // A port may be used again: the delivery belongs to the flow that was alive after the request.
      const step = steps.find(([ns, bytes]) => bytes >= streamEnd && ns >= startNs);
      if (step) return step[0] / NS_PER_MS;
    }
    return null;
  }
}
