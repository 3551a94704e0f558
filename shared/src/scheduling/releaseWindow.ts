import { RankClass } from './rank.ts';
import type { Plan } from './plan.ts';

/** What is on the way now, in estimated bytes. */
export interface Outstanding {
  /** Layout files and in-view objects: what the first screen waits for. */
  readonly urgentBytes: number;
  /** Everything else. */
  readonly otherBytes: number;
}

export interface WindowState {
  readonly plan: Plan;
  /** Expected size of each planned object. */
  readonly bytesOf: (id: number) => number;
  readonly outstanding: Outstanding;
  readonly bdpBytes: number;
}

/**
 * Beside urgent transfers only as much else may be on the way as keeps the link busy while they wait for their round trips; this is
 * also the longest that an object found later must queue behind.
 */
const FILL_WINDOW_BDPS = 1;
/** With nothing urgent on the way: enough that many small objects, each a round trip, fill the link (the tail must not be slower than stock). */
const TAIL_WINDOW_BDPS = 4;
const MIN_WINDOW_BYTES = 16_000;

/**
 * Which of the held objects to release now, in order.
 *
 * In-view objects go at once. Others go while less than a window is on the way, so the link is never idle while something is held
 * (work conservation), and what is in view is never behind more than that window.
 */
export function selectReleases(state: WindowState): number[] {
  const released: number[] = [];
  let { urgentBytes, otherBytes } = state.outstanding;
  for (const { id, rankClass } of state.plan) {
    const bytes = state.bytesOf(id);
    if (rankClass === RankClass.inView) {
      urgentBytes += bytes;
      released.push(id);
      continue;
    }
    if (urgentBytes + otherBytes >= windowBytes(urgentBytes > 0, state.bdpBytes)) break;
    otherBytes += bytes;
    released.push(id);
  }
  return released;
}

function windowBytes(urgentOnTheWay: boolean, bdp: number): number {
  return Math.max(MIN_WINDOW_BYTES, bdp * (urgentOnTheWay ? FILL_WINDOW_BDPS : TAIL_WINDOW_BDPS));
}
