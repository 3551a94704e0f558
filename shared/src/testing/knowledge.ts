import { isUrgent } from '../fetching/admission.ts';
import { RECEIVE_WINDOW_BYTES } from '../fetching/streamCredits.ts';
import type { Step } from './loadTrace.ts';
import type { Interval } from './simulatedLink.ts';
import type { Bytes, SimulatedLoad, SimulatedTransfer } from './simulatedLoad.ts';

/** When something holds of what is known of an object, until a moment. */
export function whileKnown({ traced: { steps } }: SimulatedTransfer, holds: (step: Step) => boolean, endMs: number): Interval[] {
  const intervals: Interval[] = [];
  steps.forEach((step, place) => {
    const toMs = Math.min(steps[place + 1]?.atMs ?? Infinity, endMs);
    if (!holds(step) || step.atMs >= toMs) return;
    const last = intervals.at(-1);
    if (last?.toMs === step.atMs) intervals[intervals.length - 1] = { fromMs: last.fromMs, toMs };
    else intervals.push({ fromMs: step.atMs, toMs });
  });
  return intervals;
}

/** What comes within an interval of objects that are not urgent then, and how much of that may have been under way at its beginning. */
export function besides({ transfers }: SimulatedLoad, within: Interval, isMultiplexed: boolean): { readonly underWayBytes: number; readonly cameBytes: number } {
  let [underWayBytes, cameBytes] = [0, 0];
  for (const transfer of transfers) {
    const { traced, given, pieces, endedMs } = transfer;
    const isNeeded = whileKnown(transfer, isUrgent, endedMs).some(({ fromMs, toMs }) => fromMs < within.toMs && toMs > within.fromMs);
    if (isNeeded) continue;
    const before = bytesUntil(pieces, within.fromMs);
    // over HTTP/1.1 a piece of the socket's window may be read beyond credit, and the server fills the window again
    const unreadBytes = isMultiplexed ? 0 : 2 * RECEIVE_WINDOW_BYTES;
    underWayBytes += Math.max(0, Math.min(traced.bytes, bytesUntil(given, within.fromMs) + unreadBytes) - before);
    cameBytes += bytesUntil(pieces, within.toMs) - before;
  }
  return { underWayBytes, cameBytes };
}

function bytesUntil(all: readonly Bytes[], untilMs: number): number {
  return all.reduce((sum, { atMs, bytes }) => sum + (atMs <= untilMs ? bytes : 0), 0);
}
