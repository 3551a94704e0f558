import { RELEASE_MS, bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { CONNECTIONS_PER_ORIGIN } from '../estimation/transferTable.ts';
import { RankClass } from './rank.ts';

/** What the link has to do already. */
export interface LinkLoad {
  /** Bytes still to come from origins that have answered before: what keeps the link busy now. */
  readonly bytesToCome: number;
  /** Whether anything is on the way that the first screen waits for: layout files, objects in view. */
  readonly isUrgent: boolean;
  /** Bytes asked of origins that are still connecting: they come at once, later. */
  readonly connectingBytes: number;
  /** Whether an origin has not answered yet, and may still be connecting. */
  readonly isConnecting: (origin: string) => boolean;
  /** Bandwidth-delay product of the link. */
  readonly bdpBytes: number;
  /** Open requests to an origin. */
  readonly openTo: (origin: string) => number;
  /** So many requests may be open to an origin without TLS. */
  readonly plainOriginLimit: (origin: string) => number;
  /** Whether a release can not say that it is in view: the browser would let it stand behind what was released before. */
  readonly releasesAreAlike: boolean;
}

/** What of the load is about an origin. */
export type OriginLoad = Pick<LinkLoad, 'openTo' | 'isConnecting' | 'plainOriginLimit'>;

/** A held object in its turn. */
export interface Candidate {
  readonly rankClass: RankClass;
  readonly origin: string;
  /** Expected size. */
  readonly bytes: number;
}

/**
 * While something urgent is on the way, or may yet be found, only as much else may be as keeps the link busy: a request that leaves now is
 * answered when the last BDP has come. It is also the longest that an object found later must queue behind.
 */
export const FILL_WINDOW_BDPS = 1;
/** With everything in view there: enough that many small objects, each a round trip, fill the link (the tail must not be slower than stock). */
const TAIL_WINDOW_BDPS = 3;
/**
 * So much on the way covers what a hold takes. What passes then stands in a queue: of the browser, which looks at the layout again before it asks
 * (HTTP/1.1), or of a server, which sends it beside what is found to be in view (HTTP/2, over TLS).
 */
const HOLD_BDPS = { browser: 3, server: 1 };
export type RequestQueue = keyof typeof HOLD_BDPS;
/** On a small link too, some requests must be under way while the page's own scripts keep the next release waiting. */
export const MIN_BDP_BYTES = 16_000;
/** Enough that many small answers over HTTP/2 never wait for the next release. */
const MAX_OPEN_PER_ORIGIN = 32;
/** Ready when one of an HTTP/1.1 host's connections falls idle. */
const MIN_READY_REQUESTS = 2;
/** As in Chromium's own scheduler: beside files that the layout waits for hardly an image is asked for, so that what is found in view can be the first. */
const IMAGES_BEFORE_LAYOUT = 2;
/** From the last of these files until the layout is told, while scripts run and styles are computed; after that the link would rest for nothing. */
export const LAYOUT_MS = 250;
/** What is all there after this time is not worth putting in order: a hold takes time of its own. */
const SOON_MS = 250;
/** What a page may ask for at a stroke: some eighty images. */
export const PAGE_BYTES = 600_000;
/** A link that was fast is slow when it seems so many times slower. */
const SLOWER = 4;
/** What takes the link no longer is an icon: its place in the order is worth less than a hold costs. */
const ICON_MS = 10;
/**
 * Whether as much is on the way as the link needs to stay busy.
 *
 * @param laidOut positions are known, so that nothing urgent means that the first screen is there
 */
export function isWindowFull({ bytesToCome, isUrgent, bdpBytes }: Pick<LinkLoad, 'bytesToCome' | 'isUrgent' | 'bdpBytes'>, laidOut: boolean): boolean {
  return isFull(bytesToCome, laidOut && !isUrgent ? TAIL_WINDOW_BDPS : FILL_WINDOW_BDPS, bdpBytes);
}

function isFull(bytes: number, windowBdps: number, bdpBytes: number): boolean {
  return bytes >= windowBdps * Math.max(MIN_BDP_BYTES, bdpBytes);
}

/**
 * Whether what is asked for next can wait: a hold and its release take some time, and meanwhile the link must not run dry.
 *
 * @param committedBytes of everything that was asked for and has not come, also what waits inside the browser for a connection
 * @param queue where it would stand if it passed
 */
export function isHoldWorthwhile(committedBytes: number, link: LinkEstimate, queue: RequestQueue): boolean {
  return isFull(committedBytes, HOLD_BDPS[queue], bdpBytes(link)) && !isSoonThere(committedBytes, link);
}

/** Whether so many bytes come before any order of theirs can matter: on a fast link nothing is held. */
export function isSoonThere(bytes: number, link: LinkEstimate): boolean {
  return sendingMs(bytes, link) < SOON_MS;
}

/**
 * Whether a link is so slow that an order of requests, and connections of the helper's, gain more than they cost: a page's images are not all there before their order can matter (docs/adr/0018).
 *
 * @param didPay what was said before: few pages keep a fast link busy, so its estimate sinks while somebody reads
 */
export function doesHelpPay(link: LinkEstimate, didPay: boolean): boolean {
  return !isSoonThere(didPay ? PAGE_BYTES : PAGE_BYTES / SLOWER, link);
}

/** Whether an image of this expected size is not worth a hold; on a slow link every image is. */
export function isIcon(bytes: number, link: LinkEstimate): boolean {
  return sendingMs(bytes, link) <= ICON_MS;
}

function sendingMs(bytes: number, { rateBitsPerSecond }: LinkEstimate): number {
  return (bytes * 8 * 1000) / rateBitsPerSecond;
}

/**
 * How many requests may be open to an origin without TLS, which speaks HTTP/1.1. Browsers open six connections; some more requests are ready, as many
 * as are answered while the next release is under way. What is released beyond queues in the browser, before what is found to be in view later.
 *
 * @param openFiles open requests to the origin for other things than images, while the page's layout waits for some file; null when it does not, or is known
 */
export function plainOriginLimit({ rttMs }: LinkEstimate, openFiles: number | null): number {
  const ready = Math.max(MIN_READY_REQUESTS, Math.ceil((CONNECTIONS_PER_ORIGIN * RELEASE_MS) / rttMs));
  const limit = Math.min(MAX_OPEN_PER_ORIGIN, CONNECTIONS_PER_ORIGIN + ready);
  return openFiles === null ? limit : Math.min(limit, openFiles + IMAGES_BEFORE_LAYOUT);
}

/**
 * Which of the held objects to release now, in their order.
 *
 * In-view objects go at once, as far as their origins have connections, or the browser puts them first in its own queue. Others go while less than a window is on the way, so the link is never idle
 * while something is held (work conservation), and what is in view is never behind more than that window.
 *
 * @param candidates held objects in the order of the plan
 * @param laidOut positions are known; before that, everything that is held may be in view
 */
export function selectReleases<T extends Candidate>(candidates: readonly T[], load: LinkLoad, laidOut: boolean): T[] {
  const released: T[] = [];
  const releasedTo = new Map<string, number>();
  let { bytesToCome, isUrgent, connectingBytes } = load;
  const openTo = (origin: string): number => load.openTo(origin) + (releasedTo.get(origin) ?? 0);

  for (const candidate of candidates) {
    const { rankClass, origin, bytes } = candidate;
    const isConnecting = load.isConnecting(origin);
    const now = { ...load, openTo };
    const bytesAhead = isConnecting ? connectingBytes : bytesToCome;
    if (rankClass === RankClass.inView) {
      isUrgent = true;
      if (load.releasesAreAlike ? wouldWaitInBrowser(origin, now) : wouldConnectTwice(origin, now)) continue;
    } else if (isOriginBusy(origin, now) || isWindowFull({ bytesToCome: bytesAhead, isUrgent, bdpBytes: load.bdpBytes }, laidOut)) continue;
    if (isConnecting) connectingBytes += bytes;
    else bytesToCome += bytes;
    releasedTo.set(origin, (releasedTo.get(origin) ?? 0) + 1);
    released.push(candidate);
  }
  return released;
}

/** Whether an origin has enough to do. */
export function isOriginBusy(origin: string, load: OriginLoad): boolean {
  return load.openTo(origin) >= MAX_OPEN_PER_ORIGIN || wouldWaitInBrowser(origin, load);
}

/**
 * Whether a request more would not leave the browser: it would only stand in a queue there that nobody can put in order any more, ahead of what is
 * found to be in view later. A held image that is in view is better off here too, as Chromium's own order by layout passes it by (docs/adr/0007).
 */
export function wouldWaitInBrowser(origin: string, load: OriginLoad): boolean {
  return wouldConnectTwice(origin, load) || (origin.startsWith('http:') && load.openTo(origin) >= load.plainOriginLimit(origin));
}

/**
 * Whether a request more would open a connection that goes unused: until an origin is known to speak HTTP/2 a browser opens one for each request, up
 * to six, and with TLS each takes kilobytes in both directions. On a slow link they keep the first one from being made.
 */
function wouldConnectTwice(origin: string, { openTo, isConnecting }: OriginLoad): boolean {
  return origin.startsWith('https:') && isConnecting(origin) && openTo(origin) > 0;
}
