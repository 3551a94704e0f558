import { INITIAL_WINDOW_BYTES, bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { FILL_WINDOW_BDPS, MIN_BDP_BYTES } from '../scheduling/admission.ts';
import { STOCK_CONNECTIONS_PER_SERVER } from './connectionBudget.ts';
import { FetchClass, levelOf, type FetchObject } from './fetchObject.ts';

/** What is on the way, of all servers. */
export interface OnTheWay {
  /** Bytes still to come of each object that the first screen waits for. */
  readonly urgentBytesToCome: readonly number[];
  /** Of each other one. */
  readonly otherBytesToCome: readonly number[];
  /** Bytes of what the first screen waits for and that still waits for a connection, or for room. */
  readonly urgentWaitingBytes: number;
  /**
   * Whether anything is among it that the first screen waits for, or a browser is connecting to a server, of which it
   * will ask something.
   */
  readonly isUrgent: boolean;
  /** Requests on the way by a relay that keeps the order, and not what the first screen waits for. */
  readonly relayedOthers: number;
  /** Level of the most urgent object that has a connection and waits for room alone; Infinity when there is none. */
  readonly waitingLevel: number;
}

/** The server of an object that may be sent. */
export interface FetchServer {
  /** Over HTTP/2 one connection is free for all of its objects at once. */
  readonly isMultiplexed: boolean;
  /** Its far end is a relay, which sends what it has in our order over all servers: what is asked for early is in nobody's way. */
  readonly keepsOrder: boolean;
  /** On the way from it, and not what the first screen waits for. */
  readonly otherCount: number;
}

/** Which objects may be sent now, when a connection is free for them. */
export type Admission = (onTheWay: OnTheWay) => (object: FetchObject, server: FetchServer) => boolean;

/** CONV: a free connection is used. */
export const admitAll: Admission = () => () => true;

/** What the first screen waits for, whatever else is on the way. */
export function isUrgent({ fetchClass }: Pick<FetchObject, 'fetchClass'>): boolean {
  return fetchClass <= FetchClass.inView;
}

/**
 * So much of what the first screen waits for may be on the way at once: more than this stands in the queue of the
 * access link, or is dropped there, and comes in an order that nobody has chosen. With a third less the link would rest
 * between an answer and the next request.
 */
const URGENT_WINDOW_BDPS = 1.5;
/**
 * All of it is needed, so too small a window costs more than too large a one; and what the window lets through is all
 * that the link's rate can be learnt from.
 */
const MIN_URGENT_WINDOW_BYTES = 48_000;
/** On a link that is slower than this, in bits a second, the least windows are smaller: more than half a second's worth of the link would stand before its bottleneck. */
const SMALL_LINK_RATE = 800_000;
/** So small at least: pages of small files make a link look slower than it is, but not one whose queue is as deep as that of a slow one. */
const LEAST_SHARE = { mostly: 1 / 2, queued: 1 / 4 };

/**
 * Less than the gate's: a request of ours leaves when an answer has ended, not some milliseconds later, and what a
 * dozen connections ask for beyond two is dropped in the queue of an access link.
 */
const TAIL_WINDOW_BDPS = 2;

/** Guesses take no more than half of the requests that a relay has of one client at once: beyond all of them it is left alone for a while, and other tabs ask it, too. */
const MAX_RELAYED_OTHERS = 128;

/** Over HTTP/1.1 guesses leave two of a server's connections to what turns out to be in view. */
const GUESS_CONNECTIONS = Math.max(1, STOCK_CONNECTIONS_PER_SERVER - 2);

/** Bandwidth-delay product in bytes, as windows are made of it, and the least window for what is needed. */
export function windowsOf(link: LinkEstimate): { readonly bdp: number; readonly leastUrgent: number } {
  const share = Math.min(1, Math.max(link.isQueued === true ? LEAST_SHARE.queued : LEAST_SHARE.mostly, link.rateBitsPerSecond / SMALL_LINK_RATE));
  return { bdp: Math.max(share * MIN_BDP_BYTES, bdpBytes(link)), leastUrgent: share * MIN_URGENT_WINDOW_BYTES };
}

/**
 * PF, prioritized fetching (NSF report, section VI, delayed transmission), for what is foreseen: what the first screen
 * does not wait for goes only while the link has room, so that the link is never idle and what turns out to be needed
 * is never behind more than a window. For what the browser asks the gate has decided.
 *
 * @param link asked at each decision
 */
export function admitWithinWindow(link: () => LinkEstimate): Admission {
  return ({ urgentBytesToCome, otherBytesToCome, urgentWaitingBytes, isUrgent: isUrgentComing, relayedOthers, waitingLevel }) => {
    const { bdp, leastUrgent } = windowsOf(link());
    // a long transfer shares the link with what comes beside it: it takes a place in the window, not the whole; but what
    // its server sends at once comes in any case
    const mostBytes = Math.max(INITIAL_WINDOW_BYTES, bdp);
    const sumOf = (all: readonly number[]): number => all.reduce((sum, bytes) => sum + Math.min(bytes, mostBytes), 0);
    const [urgent, others] = [sumOf(urgentBytesToCome), sumOf(otherBytesToCome)];
    const urgentWindow = Math.max(leastUrgent, URGENT_WINDOW_BDPS * bdp);
    // more than that stands in no queue of an access link: it is dropped, and comes a time-out later
    const isOverfull = urgent + others >= Math.min(2 * urgentWindow, bdp + 2 * leastUrgent);
    // what went before was not known to be in its way
    const isFull = urgent >= urgentWindow || isOverfull;
    // what the first screen waits for has the room that it will need, though its connections are still being made
    const hasRoom = urgent + others + urgentWaitingBytes < (isUrgentComing ? FILL_WINDOW_BDPS : TAIL_WINDOW_BDPS) * bdp;
    return (object, { isMultiplexed, keepsOrder, otherCount }) => {
      // nor is the relay, or a server behind it, idle for a round trip of the slow link (ADR 93)
      if (keepsOrder) return isUrgent(object) || object.isAwaited || relayedOthers < MAX_RELAYED_OTHERS;
      // what comes of it when is decided while it comes (streamCredits.ts), so that the server is never idle for a round
      // trip; but a guess that nobody has asked for stands before handshakes and before what is found next
      if (isMultiplexed) return isUrgent(object) || object.isAwaited || (hasRoom && !isUrgentComing);
      // an image that the browser asks a server of http: for has passed the gate, and keeps a place that what it finds
      // next may need; what styles name is small mostly, whatever its format lets expect. Of what is intercepted the
      // gate counts requests, not bytes
      const hasPassed = isUrgent(object) || object.origin.startsWith('http:');
      if (object.isAwaited && object.fetchClass !== FetchClass.layout && hasPassed) return !isOverfull && (!isFull || levelOf(object) <= waitingLevel);
      return isUrgent(object) ? !isFull : hasRoom && (object.isAwaited || otherCount < GUESS_CONNECTIONS);
    };
  };
}
