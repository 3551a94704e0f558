import { RankClass } from './rank.ts';

/** What the link has to do already. */
export interface LinkLoad {
  /** Bytes still to come of layout files and in-view objects: what the first screen waits for. */
  readonly urgentBytes: number;
  /** Bytes still to come of everything else. */
  readonly otherBytes: number;
  /** Bandwidth-delay product of the link. */
  readonly bdpBytes: number;
  /** Open requests to an origin. */
  readonly openTo: (origin: string) => number;
}

/** A held object in its turn. */
export interface Candidate {
  readonly rankClass: RankClass;
  readonly origin: string;
  /** Expected size. */
  readonly bytes: number;
}

/**
 * While something urgent is on the way, or may yet be found, only as much else may be as keeps the link busy: one BDP in flight, and as much
 * again for the round trip that a new request takes. It is also the longest that an object found later must queue behind.
 */
const FILL_WINDOW_BDPS = 2;
/** With everything in view there: enough that many small objects, each a round trip, fill the link (the tail must not be slower than stock). */
const TAIL_WINDOW_BDPS = 4;
/** So much on the way covers what a hold takes. */
const HOLD_BDPS = 4;
/** On a small link too, some requests must be under way while the page's own scripts keep the next release waiting. */
const MIN_WINDOW_BYTES = 32_000;
/** Enough that many small answers over HTTP/2 never wait for the next release. */
const MAX_OPEN_PER_ORIGIN = 32;
/**
 * Without TLS an origin speaks HTTP/1.1, for which browsers open six connections; two more are ready when one falls idle. What is released beyond
 * queues in the browser, before what is found to be in view later.
 */
const MAX_OPEN_PER_PLAIN_ORIGIN = 8;

/**
 * Whether as much is on the way as the link needs to stay busy.
 *
 * @param laidOut positions are known, so that no urgent bytes means that the first screen is there
 */
export function isWindowFull({ urgentBytes, otherBytes, bdpBytes }: Omit<LinkLoad, 'openTo'>, laidOut: boolean): boolean {
  const bdps = laidOut && urgentBytes === 0 ? TAIL_WINDOW_BDPS : FILL_WINDOW_BDPS;
  return urgentBytes + otherBytes >= Math.max(MIN_WINDOW_BYTES, bdps * bdpBytes);
}

/**
 * Whether what is asked for next can wait: a hold and its release take the page's main thread some hundred milliseconds at times, and meanwhile
 * the link must not run dry.
 *
 * @param committedBytes of everything that was asked for and has not come, also what waits inside the browser for a connection
 */
export function isHoldWorthwhile(committedBytes: number, bdpBytes: number): boolean {
  return committedBytes >= Math.max(MIN_WINDOW_BYTES, HOLD_BDPS * bdpBytes);
}

/**
 * Which of the held objects to release now, in their order.
 *
 * In-view objects go at once. Others go while less than a window is on the way, so the link is never idle while something is held
 * (work conservation), and what is in view is never behind more than that window.
 *
 * @param candidates held objects in the order of the plan
 * @param laidOut positions are known; before that, everything that is held may be in view
 */
export function selectReleases<T extends Candidate>(candidates: readonly T[], load: LinkLoad, laidOut: boolean): T[] {
  const released: T[] = [];
  const openTo = new Map<string, number>();
  let { urgentBytes, otherBytes } = load;
  const release = (candidate: T): void => {
    openTo.set(candidate.origin, open(candidate.origin) + 1);
    released.push(candidate);
  };
  const open = (origin: string): number => openTo.get(origin) ?? load.openTo(origin);

  for (const candidate of candidates) {
    if (candidate.rankClass === RankClass.inView) {
      urgentBytes += candidate.bytes;
      release(candidate);
      continue;
    }
    if (isWindowFull({ urgentBytes, otherBytes, bdpBytes: load.bdpBytes }, laidOut)) continue;
    if (open(candidate.origin) >= maxOpenTo(candidate.origin)) continue;
    otherBytes += candidate.bytes;
    release(candidate);
  }
  return released;
}

function maxOpenTo(origin: string): number {
  return origin.startsWith('http:') ? MAX_OPEN_PER_PLAIN_ORIGIN : MAX_OPEN_PER_ORIGIN;
}
