import type { Artifacts } from '../metrics/artifacts.ts';
import { NS_PER_MS } from './arrival.ts';
import { blankPicture, type DecodedFrame } from './pixels.ts';
import type { ResponseIndex } from './responses.ts';

interface PageFrames {
  readonly frames: readonly DecodedFrame[];
  /** Until then the page before is shown: the first request for this one reaches a server, or its document is there at the navigation. */
  readonly firstRequestMs: number;
}

/**
 * A page that follows another in the same browser begins blank: pictures of the page before would pass for its own where
 * both look alike. Pure.
 */
export function framesOfPage(drawn: readonly DecodedFrame[], artifacts: Artifacts, responses: ResponseIndex): PageFrames {
  const firstRequestMs = firstRequestOf(artifacts, responses);
  const last = drawn.findLast(({ atMs }) => atMs <= firstRequestMs);
  if (artifacts.earlier.kept.size === 0 || last === undefined) return { frames: drawn, firstRequestMs };
  const own = drawn.filter(({ atMs }) => atMs > firstRequestMs);
  return { frames: own.length > 0 ? [{ atMs: last.atMs, ...blankPicture(last) }, ...own] : drawn, firstRequestMs };
}

function firstRequestOf({ served, navigationStartMs, layout }: Artifacts, responses: ResponseIndex): number {
  const document = layout[0]?.url.split('#', 1)[0] ?? '';
  if (responses.find(document)?.request === null) return 0;
  return Math.max(0, Math.min(...served.map(({ startNs }) => startNs / NS_PER_MS)) - navigationStartMs);
}
