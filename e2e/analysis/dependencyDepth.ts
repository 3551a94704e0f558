import type { BrowserRequest } from '../metrics/artifacts.ts';

/**
 * How many request-response exchanges must follow one another until each URL can have been asked for and answered: the document is 1,
 * what it names is 2, what that names is 3. Of several initiators the first counts: it is who discovered the URL.
 */
export function dependencyDepths(requests: readonly BrowserRequest[]): ReadonlyMap<string, number> {
  const initiators = new Map<string, string | null>();
  for (const { url, initiatorUrl } of requests) if (!initiators.has(url)) initiators.set(url, initiatorUrl);
  const depths = new Map<string, number>();
  for (const url of initiators.keys()) depths.set(url, depthOf(url, initiators));
  return depths;
}

function depthOf(url: string, initiators: ReadonlyMap<string, string | null>): number {
  let depth = 1;
  const seen = new Set([url]);
  for (let from = initiators.get(url); from && initiators.has(from) && !seen.has(from); from = initiators.get(from)) {
    seen.add(from);
    depth++;
  }
  return depth;
}

export interface LowerBoundInput {
  readonly bytes: number;
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
  /** What is to be done before the first request. */
  readonly setup: 'nothing' | 'tcp' | 'tls';
  /** Depth of the deepest object of the first screen that the link carries; 0 when there is none. */
  readonly depth: number;
}

/** DNS, TCP and TLS for the first host; a perfect client has opened the others by the time it needs them. */
const SETUP_RTTS = { nothing: 0, tcp: 2, tls: 3 } as const;

/**
 * No order of requests can show the first screen sooner: after the set-up its bytes come at line rate, a round trip after the first request, and
 * round trips that must follow one another take their time. What the link carries in them is not known, so the longer one counts.
 */
export function lowerBoundMs({ bytes, rateBitsPerSecond, rttMs, setup, depth }: LowerBoundInput): number {
  const bytesMs = (bytes * 8 * 1000) / rateBitsPerSecond;
  return SETUP_RTTS[setup] * rttMs + Math.max(Math.min(1, depth) * rttMs + bytesMs, depth * rttMs);
}
