import type { Flow } from '../../metrics/testbed.ts';

/** How the server's stream of the largest connection came over the link. */
export interface Delivery {
  readonly steps: Flow['steps'];
  /** CLOCK_MONOTONIC of the last new byte. */
  readonly endNs: number;
}

/** The connection to this server that brought most. Pure. @param server address:port @throws Error when none brought anything */
export function deliveryOf(flows: readonly Flow[], server: string): Delivery {
  const bytesOf = ({ steps }: Flow): number => steps.at(-1)?.[1] ?? 0;
  const [largest] = flows.filter((flow) => flow.server === server).toSorted((a, b) => bytesOf(b) - bytesOf(a));
  const end = largest?.steps.at(-1);
  if (largest === undefined || end === undefined) throw new Error(`the link has brought nothing from ${server}`);
  return { steps: largest.steps, endNs: end[0] };
}

/** Bytes of the stream that had come by then. Pure. */
export function bytesDeliveredBy({ steps }: Delivery, ns: number): number {
  return steps.findLast(([atNs]) => atNs <= ns)?.[1] ?? 0;
}
