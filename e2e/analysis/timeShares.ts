import { sharesOf, type TimeShares } from '../../shared/src/waterfall/timeShares.ts';
import type { Flow, LinkReport, ServedRequest } from '../metrics/testbed.ts';
import { NS_PER_MS, type Arrivals } from './arrival.ts';
import { isRedirect } from './responses.ts';
import { isCarrier, isRelayed } from './ways.ts';

export interface TimeSharesInput {
  /** From navigation start. */
  readonly isrtMs: number;
  readonly navigationStartMs: number;
  readonly served: readonly ServedRequest[];
  readonly arrivals: Pick<Arrivals, 'of'>;
  readonly flows: readonly Flow[];
  readonly link: Pick<LinkReport, 'profile' | 'down'>;
  /** The responses that the first screen waited for. */
  readonly needed: ReadonlySet<ServedRequest>;
}

const BITS_PER_BYTE = 8;
const MS_PER_SECOND = 1_000;

/**
 * ISRT by what the downlink did until then. What is needed has all overhead with it: handshakes, headers of every layer,
 * names, retransmissions, redirects; waste is of bodies alone. Pure.
 */
export function timeShares(input: TimeSharesInput): TimeShares {
  const { isrtMs, navigationStartMs, link } = input;
  const untilMs = navigationStartMs + isrtMs;
  const msPerByte = (BITS_PER_BYTE * MS_PER_SECOND) / link.profile.down.rateBitsPerSecond;
  const busyBytes = wireBytes(input.flows, link.down.deliveredBytes, navigationStartMs, untilMs);
  return sharesOf(isrtMs, busyBytes * msPerByte, wastedBytes(input, untilMs) * msPerByte);
}

/**
 * Bytes on the link in this time. The record of flows has bytes of TCP streams; each stands for its part of all the bytes
 * that the link delivered in the time of the record, so that packet headers, names and retransmissions count.
 */
function wireBytes(flows: readonly Flow[], deliveredBytes: number, fromMs: number, untilMs: number): number {
  const allBytes = deliveredOf(flows, -Infinity, Infinity);
  const bytes = deliveredOf(flows, fromMs, untilMs);
  return allBytes === 0 ? 0 : (bytes / allBytes) * Math.max(deliveredBytes, allBytes);
}

/** Contiguous bytes of streams that were delivered in a part of the time of the record. */
function deliveredOf(flows: readonly Flow[], fromMs: number, untilMs: number): number {
  const by = ({ steps, beforeBytes = 0 }: Flow, ms: number) => steps.findLast(([ns]) => ns <= ms * NS_PER_MS)?.[1] ?? beforeBytes;
  return flows.reduce((sum, flow) => sum + by(flow, untilMs) - by(flow, fromMs), 0);
}

/**
 * Body bytes, delivered since the navigation and by then, of responses that the first screen does not need. A redirect leads to what is needed
 * or not: it is overhead.
 */
function wastedBytes({ served, arrivals, flows, needed, navigationStartMs }: TimeSharesInput, untilMs: number): number {
  const isBefore = (response: ServedRequest) => (arrivals.of(response) ?? Infinity) <= navigationStartMs;
  const own = served.filter((response) => !isBefore(response));
  const byConnection = Map.groupBy(own.filter((response) => !isRelayed(response)), ({ client, server }) => `${client} ${server}`);
  const flowsOf = Map.groupBy(flows, ({ client, server }) => `${client} ${server}`);
  let bytes = 0;
  for (const [connection, responses] of byConnection) {
    const brought = broughtOfBodies(responses, flowsOf.get(connection) ?? [], navigationStartMs, untilMs);
    bytes += wasteOfConnection(responses, arrivals, needed, brought, untilMs);
  }

  const relayed = own.filter(isRelayed);
  const carriers = flows.filter(isCarrier);
  const share = bodyShare(relayed, carriers, navigationStartMs);
  // a body that the relay has made smaller was no more than that on the link
  return bytes + wasteOfConnection(relayed, arrivals, needed, share * deliveredOf(carriers, navigationStartMs, untilMs), untilMs) / Math.max(1, share);
}

/**
 * What a connection has brought of bodies. Its handshakes had come before the server had its first request; what its
 * stream has beside bodies over the whole load is headers, of which each response has the same part. Of bodies that were
 * cut off nobody knows how much came, so that there headers count as bodies.
 */
function broughtOfBodies(responses: readonly ServedRequest[], flows: readonly Flow[], navigationStartMs: number, untilMs: number): number {
  const fromMs = Math.max(navigationStartMs, Math.min(...responses.map(({ startNs }) => startNs)) / NS_PER_MS);
  const beside = deliveredOf(flows, fromMs, Infinity) - responses.reduce((sum, response) => sum + response.bodyBytes, 0);
  const headerBytes = responses.some(({ streamEnd }) => streamEnd === null) ? 0 : Math.max(0, beside) / responses.length;
  const begun = responses.filter(({ startNs }) => startNs <= untilMs * NS_PER_MS).length;
  return deliveredOf(flows, fromMs, untilMs) - begun * headerBytes;
}

/**
 * Bytes of bodies for a byte of the carriers, over the whole load: which of them are bodies only their ends know, so each
 * stands for its part of all bodies. Above 1 where the relay makes them smaller.
 */
function bodyShare(relayed: readonly ServedRequest[], carriers: readonly Flow[], sinceMs: number): number {
  const carried = deliveredOf(carriers, sinceMs, Infinity);
  const bodies = relayed.reduce((sum, { bodyBytes, streamEnd }) => sum + (streamEnd === null ? 0 : bodyBytes), 0);
  return carried === 0 ? 1 : bodies / carried;
}

/**
 * Whole responses count with their bodies. Of those under way the streams tell only how much came in all: what is left
 * of the bodies' delivered bytes, at most their bodies. All of these are waste, as what is needed had come by then.
 */
function wasteOfConnection(responses: readonly ServedRequest[], arrivals: Pick<Arrivals, 'of'>, needed: ReadonlySet<ServedRequest>, deliveredBytes: number, untilMs: number): number {
  let whole = 0;
  let wasted = 0;
  let underWay = 0;
  for (const response of responses) {
    const arrivalMs = arrivals.of(response);
    const isWhole = arrivalMs !== null && arrivalMs <= untilMs;
    if (isWhole) whole += response.bodyBytes;
    else if (response.startNs <= untilMs * NS_PER_MS) underWay += response.bodyBytes;
    if (isWhole && !needed.has(response) && !isRedirect(response.status)) wasted += response.bodyBytes;
  }
  return wasted + Math.min(underWay, Math.max(0, deliveredBytes - whole));
}
