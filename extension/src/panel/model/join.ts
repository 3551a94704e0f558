import type { RequestWay } from '../../../../shared/src/requests/requestWays.ts';
import { pairInOrder } from '../../../../shared/src/waterfall/pairInOrder.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import type { BrowserRequest } from './browserRequest.ts';

/** A request as the browser has told of it, the helper, or both. */
export interface Joined {
  readonly browser: BrowserRequest | null;
  readonly way: RequestWay | null;
}

/** The two sides' clocks are compared by a single reading, and a browser tells when it thought of a request. */
const CLOCK_SLACK_MS = 150;
/** The developer tools tell of a request after its end; one of which they say nothing by then was another tab's. */
const TOLD_MS = 3_000;

/**
 * Each request once, from what the browser tells of this tab and the helper of all tabs, whatever the order in which it
 * was told; all times by one clock. Of the helper's requests stay those that the browser has told of, that are under way,
 * and that no browser has asked for.
 *
 * @param nowMs what ended shortly before may still be told of
 */
export function joined(requests: readonly BrowserRequest[], ways: readonly RequestWay[], nowMs: number): Joined[] {
  const wayOf = pairInOrder(
    { all: requests.filter(({ isCached }) => !isCached), urlOf: ({ url }) => withoutFragment(url), compare: (a, b) => a.startMs - b.startMs || a.endMs - b.endMs || a.id - b.id },
    { all: ways.filter(({ askedMs }) => askedMs !== null), urlOf: ({ url }) => url, compare: (a, b) => (a.askedMs ?? 0) - (b.askedMs ?? 0) || a.request - b.request },
    ({ startMs, endMs }, { askedMs }) => askedMs !== null && askedMs >= startMs - CLOCK_SLACK_MS && askedMs <= endMs + CLOCK_SLACK_MS,
  );
  const taken = new Set(wayOf.values());
  const alone = ways.filter((way) => !taken.has(way) && (way.askedMs === null || way.endMs === null || way.endMs > nowMs - TOLD_MS));
  return [...requests.map((browser) => ({ browser, way: wayOf.get(browser) ?? null })), ...alone.map((way) => ({ browser: null, way }))];
}
