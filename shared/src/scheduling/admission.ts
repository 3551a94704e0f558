import { bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { RankClass } from './rank.ts';

/** What the link has to do already. */
export interface LinkLoad {
  readonly link: LinkEstimate;
  /** Bytes still to come from origins that have answered before: what keeps the link busy now. */
  readonly bytesToCome: number;
  /** Bytes asked of origins that are still connecting: they come at once, later. */
  readonly connectingBytes: number;
  /**
   * Whether anything is on the way that the first screen waits for: layout files, images in view or of unknown place.
   */
  readonly isUrgent: boolean;
  /** Whether an origin has not answered yet, and may still be connecting. */
  readonly isConnecting: (origin: string) => boolean;
  /** Open requests to an origin. */
  readonly openTo: (origin: string) => number;
  /** Whether the helper orders what is asked of servers of https:, byte by byte. */
  readonly isHttpsOrdered: boolean;
  /** Open requests of its tab for images of https:, whether anything comes of them or not. */
  readonly openSecureImages: number;
}

/** An image that is asked for, or held, in its turn. */
export interface Candidate {
  readonly rankClass: RankClass;
  readonly origin: string;
  /** Expected size. */
  readonly bytes: number;
}

/**
 * While something urgent is on the way, or may yet be found, only as much else may be as keeps the link busy: a request
 * that leaves now is answered when the last BDP has come. It is also the longest that an image found later must queue
 * behind.
 */
export const FILL_WINDOW_BDPS = 1;
/**
 * With everything in view there: enough that many small images, each a round trip, fill the link (the tail must not be
 * slower than stock).
 */
const TAIL_WINDOW_BDPS = 3;
/**
 * Images that the browser asks the helper for over https: at once. On a link that Chromium takes for 3G it has few
 * requests under way that can wait, images and late scripts alike, whatever the version of HTTP: its net log shows a
 * script that is sent when two images are left of 36 (docs/adr/0045). What the helper keeps waiting holds one of these
 * places, and scripts that a page makes stand behind all of them, as do images that turn out to be in view.
 */
const SECURE_IMAGES = { beforeLayout: 2, unplaced: 10, beside: 0, tail: 4 };
/**
 * To an origin over HTTP/1.1. Before the layout two of them are left to what it will show to be in view: a browser asks
 * in the order in which it was let go, and a connection that a guess has taken is free again a round trip later.
 */
const BROWSER_CONNECTIONS = { beforeLayout: 4, inAll: 6 };
/** On a small link too, some requests must be under way while the page's own scripts keep the next release waiting. */
export const MIN_BDP_BYTES = 16_000;

/**
 * The one decision of the gate: whether an image may be asked for now. It is the same for an image that is just asked
 * for and for one that is held (docs/scheduling.md has the table).
 *
 * @param isLaidOut positions are known; before that, everything may be in view
 */
export function mayGo({ rankClass, origin }: Candidate, load: LinkLoad, isLaidOut: boolean): boolean {
  const isSecure = origin.startsWith('https:');
  const isOrdered = isSecure && load.isHttpsOrdered;
  if (isOrdered && rankClass === RankClass.inView) return true;
  const [isConnecting, openTo] = [load.isConnecting(origin), load.openTo(origin)];
  // the first request opens the connection that others will need; with TLS another takes kilobytes in both directions,
  // and goes unused where the server turns out to speak HTTP/2. Where the helper orders, the others would hold places
  // until then, and it asks by itself for what the document names
  if (isConnecting && isSecure && (openTo > 0 || !isOrdered)) return openTo === 0;
  // its order is better than any of estimated sizes, and by what the document names it asks before the browser does
  if (isOrdered) return load.openSecureImages < placesFor(rankClass, load.isUrgent, isLaidOut);
  if (rankClass === RankClass.inView) return true;
  const bdp = Math.max(MIN_BDP_BYTES, bdpBytes(load.link));
  if (!isLaidOut && origin.startsWith('http:') && openTo >= BROWSER_CONNECTIONS.beforeLayout) return false;
  // what it brings comes when the connection is there, at once with all else that is asked for meanwhile
  if (isConnecting) return openTo === 0 || (openTo < BROWSER_CONNECTIONS.inAll && load.connectingBytes < FILL_WINDOW_BDPS * bdp);
  return load.bytesToCome < (isLaidOut && !load.isUrgent ? TAIL_WINDOW_BDPS : FILL_WINDOW_BDPS) * bdp;
}

function placesFor(rankClass: RankClass, isUrgent: boolean, isLaidOut: boolean): number {
  if (rankClass !== RankClass.unplaced && isUrgent) return SECURE_IMAGES.beside;
  if (!isLaidOut) return SECURE_IMAGES.beforeLayout;
  // what is of unknown place so late is mostly drawn by a style
  return rankClass === RankClass.unplaced ? SECURE_IMAGES.unplaced : SECURE_IMAGES.tail;
}

/**
 * Which of the held images may go now, in their order; each counts for those after it.
 *
 * @param held in the order of their ranks
 */
export function admit<T extends Candidate>(held: readonly T[], load: LinkLoad, isLaidOut: boolean): T[] {
  const admitted: T[] = [];
  const admittedTo = new Map<string, number>();
  let { bytesToCome, connectingBytes, isUrgent, openSecureImages } = load;
  const openTo = (origin: string): number => load.openTo(origin) + (admittedTo.get(origin) ?? 0);
  for (const image of held) {
    const { rankClass, origin, bytes } = image;
    // what is in view is waited for, whether it goes now or has to wait for a connection
    isUrgent ||= rankClass === RankClass.inView;
    if (!mayGo(image, { ...load, bytesToCome, connectingBytes, isUrgent, openTo, openSecureImages }, isLaidOut)) continue;
    if (load.isConnecting(origin)) connectingBytes += bytes;
    else bytesToCome += bytes;
    if (origin.startsWith('https:')) openSecureImages += 1;
    admittedTo.set(origin, (admittedTo.get(origin) ?? 0) + 1);
    admitted.push(image);
  }
  return admitted;
}
