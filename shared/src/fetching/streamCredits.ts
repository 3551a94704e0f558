import { MIN_PATIENCE_MS, patienceMs, type LinkEstimate } from '../estimation/link.ts';
import { isUrgent, windowsOf } from './admission.ts';
import { FetchClass, inDocumentOrder, levelOf, type FetchObject } from './fetchObject.ts';

/** Layout files are held back by the connection's window alone: their servers are told which are more urgent. */
const URGENT_CREDIT_BYTES = 1024 * 1024;
/**
 * What the first screen does not wait for, or may not wait for, has so much under way beside it, over all connections:
 * what is found late waits no longer than a round trip (RFC 6817, a scavenger).
 */
const FILL_BDPS = 1;
/** With nothing beside it, as an update takes a way back. */
const TAIL_BDPS = 2;
/**
 * So much of images in view may be under way, over all connections of HTTP/2 together (ADR 48): half a round trip's worth
 * beyond what keeps the link busy. More overflows the queue of an access link, and what is dropped there comes a time-out
 * later.
 */
const IMAGE_BDPS = 2.5;
/** What has brought so much is a download or a film, and no part of a first screen: other pages go on beside it. */
export const DOWNLOAD_BYTES = 1024 * 1024;
/** Less is not worth a frame, but where it is the rest. */
const MIN_CREDIT_BYTES = 4_000;
/** To an answer that does not say its length, or has not begun: what is expected of it, but more than a head and less than a photograph. */
const ASSUMED_BYTES = { least: 2_000, most: 16_000 };
/** The same for an image in view: what comes while an update of its credit is on its way. */
const MAX_IMAGE_AHEAD_BYTES = 32_000;
/** Sizes are expected to a factor of three (estimation/bytes.ts). */
const LARGER_THAN_EXPECTED = 3;
/** Nothing starves: the first that waits gets something at least so often. */
const STARVING_MS = 2_000;
/** And each so much at least so often: a server gives up a stream that stands still for a minute (nginx, send_timeout). */
const SIGN_OF_LIFE = { bytes: 512, everyMs: 20_000 };
/**
 * What a server may send over HTTP/1.1 although nobody reads it: the window that a connection of TCP begins with on Linux
 * (tcp_rmem; 82 to 92 kB came where nothing was read, ADR 44).
 */
export const RECEIVE_WINDOW_BYTES = 64 * 1024;
/** Two of the largest pieces that a socket is read by (libuv). */
const READ_AHEAD_BYTES = 2 * 64 * 1024;
/**
 * Browsers have six requests under way to a server of http:, so two at least are to end whatever else comes: what is
 * found next may need their place, and only the browser knows of it.
 */
const MAX_STOPPED_OF_CLEAR_SERVER = 4;

/** A stream's place among all. Each method is called with the moment of the call in milliseconds. */
export interface StreamCredit {
  /** Its answer has begun. @param length of the body, where it is said */
  answered(length: number | null, nowMs: number): void;
  received(bytes: number, nowMs: number): void;
  /** What is known of its object now. */
  rank(object: FetchObject, nowMs: number): void;
  /** Whether who reads it can not take more for now. */
  hold(isHeld: boolean, nowMs: number): void;
  end(nowMs: number): void;
}

interface Stream {
  object: FetchObject;
  readonly give: (bytes: number) => void;
  readonly unreadBytes: number;
  length: number | null;
  hasAnswered: boolean;
  isHeld: boolean;
  creditBytes: number;
  receivedBytes: number;
  quietSinceMs: number;
  givenMs: number;
}

/**
 * Who may send how much, over all that is on the way: everything is asked for at once, and what is not known to be needed
 * stops in mid-flight while something that is needed fills the link. Over HTTP/2 a stream's credit is what its server may
 * send (RFC 9113, section 5.2); over HTTP/1.1 it is what is read of a response, beside which its server may send a window
 * of TCP. No I/O and no clock.
 */
export class StreamCredits {
  private readonly link: () => LinkEstimate;
  private readonly preempts: boolean;
  private readonly fillBdps: number;
  private readonly hasImageWindow: boolean;
  private readonly streams = new Set<Stream>();
  /** What has come lately over HTTP/2, by the server of which something is on the way. */
  private readonly moved = new Map<string, { readonly atMs: number; readonly bytes: number }>();
  private scavengedMs = -Infinity;
  /** When `advance` is to be called although nothing happened; null for never. */
  nextTimerMs: number | null = null;

  /**
   * @param link asked at each decision
   * @param preempts false to let everything come as its server sends it
   * @param scavenges false to let nothing come beside what is needed
   * @param imageWindow false to let images in view come as their servers send them
   */
  constructor(link: () => LinkEstimate, { preempts = true, scavenges = true, imageWindow = true } = {}) {
    this.link = link;
    this.preempts = preempts;
    this.fillBdps = scavenges ? FILL_BDPS : 0;
    this.hasImageWindow = preempts && imageWindow;
  }

  /**
   * A request has left; its stream has no credit yet.
   *
   * @param give lets so many bytes more come
   * @param unreadBytes so many come without credit, at most; 0 over HTTP/2
   */
  open(object: FetchObject, give: (bytes: number) => void, nowMs: number, unreadBytes = 0): StreamCredit {
    const stream: Stream = { object, give, unreadBytes, length: null, hasAnswered: false, isHeld: false, creditBytes: 0, receivedBytes: 0, quietSinceMs: nowMs, givenMs: nowMs };
    this.streams.add(stream);
    this.advance(nowMs);
    const change = (changes: Partial<Stream>, at: number): void => {
      Object.assign(stream, changes);
      this.advance(at);
    };
    return {
      answered: (length, at) => change({ length, hasAnswered: true, quietSinceMs: at }, at),
      received: (bytes, at) => {
        if (unreadBytes === 0) this.moved.set(object.origin, { atMs: at, bytes: this.movedBytes(object.origin, at) + bytes });
        change({ receivedBytes: stream.receivedBytes + bytes, quietSinceMs: at }, at);
      },
      rank: (ranked, at) => change({ object: ranked }, at),
      hold: (isHeld, at) => change({ isHeld }, at),
      end: (at) => {
        this.streams.delete(stream);
        if (![...this.streams].some(({ object: { origin } }) => origin === object.origin)) this.moved.delete(object.origin);
        this.advance(at);
      },
    };
  }

  /** Time has passed. */
  advance(nowMs: number): void {
    const link = this.link();
    const { bdp, leastUrgent } = windowsOf(link);
    const silenceMs = patienceMs(link);
    let [urgentBytes, otherBytes, unreadBytes, hasUrgent, next] = [0, 0, 0, false, Infinity];
    // of images in view that have a window, and of what comes beside them whatever they do
    let [imageBytes, besideBytes] = [0, 0];
    const images: Stream[] = [];
    const waiting: Stream[] = [];
    for (const stream of this.streams) {
      const isNeeded = !this.preempts || isUrgent(stream.object);
      const isStopped = stream.unreadBytes === 0 && stream.creditBytes <= stream.receivedBytes;
      const isSilent = !isStopped && nowMs >= stream.quietSinceMs + silenceMs && !(isQueued(stream, nowMs) && this.movedBytes(stream.object.origin, nowMs) >= bdp);
      const hasWindow = this.hasImageWindow && stream.object.isImage === true && stream.object.fetchClass === FetchClass.inView && stream.unreadBytes === 0 && stream.receivedBytes < DOWNLOAD_BYTES;
      if (hasWindow) {
        // what is silent has credit left
        if (!isSilent) images.push(stream);
      } else if (isNeeded || !canStop(stream)) giveAhead(stream, nowMs);
      else if (!stream.isHeld && restOf(stream) > 0) waiting.push(stream);
      if (stream.isHeld || isSilent) continue;
      const silentMs = stream.quietSinceMs + silenceMs;
      if (!isStopped) next = Math.min(next, silentMs > nowMs ? silentMs : nowMs + MIN_PATIENCE_MS);
      if (isNeeded && stream.receivedBytes < DOWNLOAD_BYTES) {
        hasUrgent = true;
        urgentBytes += Math.min(bdp, urgentBytesOf(stream));
        if (hasWindow) imageBytes += Math.min(stream.creditBytes, stream.length ?? Infinity) - stream.receivedBytes;
        else besideBytes += underWay(stream);
      } else if (!isNeeded) {
        otherBytes += underWay(stream);
        unreadBytes += unreadOf(stream);
      }
    }
    const imageWindow = Math.max(leastUrgent, IMAGE_BDPS * bdp);
    const imageRoom = imageWindow - imageBytes - Math.min(bdp, besideBytes + otherBytes);
    const isImageWaiting = giveImages(images, imageRoom, imageWindow / 2, Math.ceil(Math.max(MAX_IMAGE_AHEAD_BYTES, bdp)), nowMs);
    // what comes unread is in the way of what is needed; with nothing needed on the way it would come in any case
    let room = hasUrgent ? this.fillBdps * bdp - urgentBytes - otherBytes - unreadBytes : TAIL_BDPS * bdp - otherBytes;
    if (nowMs >= this.scavengedMs + STARVING_MS) room = Math.max(room, MIN_CREDIT_BYTES);
    waiting.sort(compareStreams);
    const beyond = beyondStopped(waiting);
    for (const stream of beyond) giveAhead(stream, nowMs);
    for (const stream of waiting) {
      if (beyond.has(stream)) continue;
      const rest = restOf(stream);
      // what was read beyond credit has come: with nothing needed on the way, what is given then lets more come
      const read = hasUrgent ? 0 : overdraft(stream);
      let bytes = Math.floor(Math.min(rest, room + read));
      if (bytes - read >= Math.min(MIN_CREDIT_BYTES, rest - read)) this.scavengedMs = nowMs;
      else {
        room = 0;
        bytes = nowMs >= stream.givenMs + SIGN_OF_LIFE.everyMs ? Math.min(rest, SIGN_OF_LIFE.bytes + overdraft(stream)) : 0;
      }
      if (bytes > 0) giveTo(stream, bytes, nowMs);
      room -= Math.max(0, bytes - read);
      next = Math.min(next, stream.givenMs + SIGN_OF_LIFE.everyMs);
    }
    if (waiting.length === 0 && !isImageWaiting) this.nextTimerMs = null;
    else this.nextTimerMs = Math.min(next, Math.max(nowMs + MIN_PATIENCE_MS, this.scavengedMs + STARVING_MS));
  }

  /** Bytes that a server has sent in the last four round trips or so, over HTTP/2. */
  private movedBytes(origin: string, nowMs: number): number {
    const { atMs, bytes } = this.moved.get(origin) ?? { atMs: nowMs, bytes: 0 };
    return bytes * Math.max(0, 1 - (nowMs - atMs) / patienceMs(this.link()));
  }
}

/**
 * In order of the document. What has not begun may be larger than is expected, and would stop for a round trip then: all
 * of these are lent alike what would be left over.
 *
 * @param roomBytes for all of these
 * @param keptBytes of the room are lent to none, but left to what is found next
 * @param aheadBytes for what does not say its length
 * @returns whether any is to get more when there is room
 */
function giveImages(images: Stream[], roomBytes: number, keptBytes: number, aheadBytes: number, nowMs: number): boolean {
  let [room, isWaiting] = [roomBytes, false];
  for (const stream of images.sort(compareStreams)) {
    const { hasAnswered, isHeld, creditBytes, receivedBytes, length } = stream;
    const expected = hasAnswered ? aheadBytes : expectedOfImage(stream, 1);
    const rest = isHeld ? 0 : (length ?? receivedBytes + expected) - creditBytes;
    const bytes = Math.floor(Math.min(rest, room));
    isWaiting ||= bytes < rest;
    if (bytes <= 0 || bytes < Math.min(MIN_CREDIT_BYTES, rest)) continue;
    room -= bytes;
    giveTo(stream, bytes, nowMs);
  }
  const unanswered = images.filter(({ hasAnswered, isHeld }) => !hasAnswered && !isHeld);
  const share = Math.floor((room - keptBytes) / unanswered.length);
  for (const stream of unanswered) {
    const lent = Math.min(expectedOfImage(stream, LARGER_THAN_EXPECTED) - stream.creditBytes, share);
    if (lent >= MIN_CREDIT_BYTES) giveTo(stream, lent, nowMs);
  }
  return isWaiting;
}

/** Of an image in view whose answer has not begun. */
function expectedOfImage({ object }: Stream, factor: number): number {
  return Math.min(MAX_IMAGE_AHEAD_BYTES, factor * Math.max(ASSUMED_BYTES.least, Math.ceil(object.bytes)));
}

function compareStreams(a: Stream, b: Stream): number {
  return levelOf(a.object) - levelOf(b.object) || inDocumentOrder(a.object, b.object);
}

/** Whether it stops when it gets no credit: what comes unread and is all that is still to come, or has no known end, does not. */
function canStop({ unreadBytes, hasAnswered, length, creditBytes, receivedBytes }: Stream): boolean {
  if (unreadBytes === 0 || !hasAnswered) return true;
  return length !== null && length - Math.max(creditBytes, receivedBytes) > unreadBytes;
}

/** Of those that wait, the most urgent first: what may not stop, so that no more do than may of a server. */
function beyondStopped(waiting: readonly Stream[]): Set<Stream> {
  const clear = waiting.filter(({ unreadBytes, object }) => unreadBytes > 0 && object.origin.startsWith('http:'));
  const byServer = Map.groupBy(clear, ({ object }) => object.origin);
  return new Set([...byServer.values()].flatMap((streams) => streams.slice(0, -MAX_STOPPED_OF_CLEAR_SERVER)));
}

function underWay(stream: Stream): number {
  const { unreadBytes, hasAnswered, creditBytes, receivedBytes, length } = stream;
  if (unreadBytes > 0 && !hasAnswered) return expectedBytes(stream);
  return Math.max(0, Math.min(creditBytes, length ?? receivedBytes + expectedBytes(stream)) - receivedBytes);
}

/**
 * Whether it may stand in its server's queue, which sends others before it: it may use its credit at any time then, and
 * what is needed of it is still waited for. Over HTTP/1.1 nothing is before it on its connection; what has no known end
 * may be silent for hours; and a server that keeps something back for so long does not send it because of others.
 */
function isQueued({ unreadBytes, length, quietSinceMs }: Stream, nowMs: number): boolean {
  return unreadBytes === 0 && length !== null && nowMs < quietSinceMs + SIGN_OF_LIFE.everyMs;
}

/** What may come of it without credit. */
function unreadOf({ unreadBytes, length, creditBytes, receivedBytes }: Stream): number {
  return length === null ? 0 : Math.min(unreadBytes, Math.max(0, length - Math.max(creditBytes, receivedBytes)));
}

/** What may still be given to it. */
function restOf(stream: Stream): number {
  const { length, unreadBytes, hasAnswered, receivedBytes, creditBytes } = stream;
  if (length !== null) return length - creditBytes;
  return unreadBytes > 0 && !hasAnswered ? 0 : receivedBytes + expectedBytes(stream) - creditBytes;
}

/** What has come beyond its credit: sockets are read by pieces. */
function overdraft({ receivedBytes, creditBytes }: Stream): number {
  return Math.max(0, receivedBytes - creditBytes);
}

/** Of an answer that does not say its length, or has not begun. */
function expectedBytes({ object, hasAnswered }: Stream): number {
  return hasAnswered ? ASSUMED_BYTES.most : Math.min(ASSUMED_BYTES.most, Math.max(ASSUMED_BYTES.least, Math.ceil(object.bytes)));
}

/** What keeps the link busy: an answer that has not begun does not, yet. */
function urgentBytesOf({ hasAnswered, length, receivedBytes }: Stream): number {
  return hasAnswered ? (length ?? Infinity) - receivedBytes : 0;
}

function giveAhead(stream: Stream, nowMs: number): void {
  const open = stream.creditBytes - stream.receivedBytes;
  // what is read here needs no round trip to be let go on
  const aheadBytes = stream.unreadBytes > 0 ? READ_AHEAD_BYTES : URGENT_CREDIT_BYTES;
  if (stream.isHeld || open > aheadBytes / 2) return;
  // what is there in a moment needs no more
  if (stream.length !== null && stream.creditBytes >= stream.length) return;
  giveTo(stream, aheadBytes - open, nowMs);
}

function giveTo(stream: Stream, bytes: number, nowMs: number): void {
  // while it had no credit it was stopped, not quiet
  if (stream.creditBytes <= stream.receivedBytes) stream.quietSinceMs = nowMs;
  stream.creditBytes += bytes;
  // what only makes good what was read beyond credit lets nothing come
  if (stream.creditBytes > stream.receivedBytes) stream.givenMs = nowMs;
  stream.give(bytes);
}
