import { bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { MIN_BDP_BYTES } from '../scheduling/admission.ts';
import { isUrgent } from './admission.ts';
import { inDocumentOrder, levelOf, type FetchObject } from './fetchObject.ts';

/** What the first screen waits for is held back by the connection's window alone. */
const URGENT_CREDIT_BYTES = 1024 * 1024;
/**
 * What the first screen does not wait for, or may not wait for, has so much under way beside it, over all connections:
 * what is found late waits no longer than a round trip (RFC 6817, a scavenger).
 */
const FILL_BDPS = 1;
/** With nothing beside it, as an update takes a way back. */
const TAIL_BDPS = 2;
/** What has brought so much is a download or a film, and no part of a first screen: other pages go on beside it. */
const DOWNLOAD_BYTES = 1024 * 1024;
/** Less is not worth a frame, but where it is the rest. */
const MIN_CREDIT_BYTES = 4_000;
/** To an answer that does not say its length, or has not begun: what is expected of it, but more than a head and less than a photograph. */
const ASSUMED_BYTES = { least: 2_000, most: 16_000 };
/** What brings nothing for so long keeps the link busy no more, as for the scheduler (schemes.ts). */
const PATIENCE_RTTS = 4;
const MIN_PATIENCE_MS = 250;
/** Nothing starves: the first that waits gets something at least so often. */
const STARVING_MS = 2_000;
/** And each so much at least so often: a server gives up a stream that stands still for a minute (nginx, send_timeout). */
const SIGN_OF_LIFE = { bytes: 512, everyMs: 20_000 };

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
  length: number | null;
  hasAnswered: boolean;
  isHeld: boolean;
  creditBytes: number;
  receivedBytes: number;
  quietSinceMs: number;
  givenMs: number;
}

/**
 * Who may send how much, over all streams of all HTTP/2 connections (RFC 9113, section 5.2): everything is asked for at
 * once, and what is not known to be needed stops in mid-flight while something that is needed fills the link. No I/O and
 * no clock.
 */
export class StreamCredits {
  private readonly link: () => LinkEstimate;
  private readonly preempts: boolean;
  private readonly fillBdps: number;
  private readonly streams = new Set<Stream>();
  private scavengedMs = -Infinity;
  /** When `advance` is to be called although nothing happened; null for never. */
  nextTimerMs: number | null = null;

  /**
   * @param link asked at each decision
   * @param preempts false to let everything come as its server sends it
   * @param scavenges false to let nothing come beside what is needed
   */
  constructor(link: () => LinkEstimate, { preempts = true, scavenges = true } = {}) {
    this.link = link;
    this.preempts = preempts;
    this.fillBdps = scavenges ? FILL_BDPS : 0;
  }

  /**
   * A request has left; its stream has no credit yet.
   *
   * @param give lets the server send so many bytes more
   */
  open(object: FetchObject, give: (bytes: number) => void, nowMs: number): StreamCredit {
    const stream: Stream = { object, give, length: null, hasAnswered: false, isHeld: false, creditBytes: 0, receivedBytes: 0, quietSinceMs: nowMs, givenMs: nowMs };
    this.streams.add(stream);
    this.advance(nowMs);
    const change = (changes: Partial<Stream>, at: number): void => {
      Object.assign(stream, changes);
      this.advance(at);
    };
    return {
      answered: (length, at) => change({ length, hasAnswered: true, quietSinceMs: at }, at),
      received: (bytes, at) => change({ receivedBytes: stream.receivedBytes + bytes, quietSinceMs: at }, at),
      rank: (ranked, at) => change({ object: ranked }, at),
      hold: (isHeld, at) => change({ isHeld }, at),
      end: (at) => {
        this.streams.delete(stream);
        this.advance(at);
      },
    };
  }

  /** Time has passed. */
  advance(nowMs: number): void {
    const link = this.link();
    const bdp = Math.max(MIN_BDP_BYTES, bdpBytes(link));
    const patienceMs = Math.max(MIN_PATIENCE_MS, PATIENCE_RTTS * link.rttMs);
    let [urgentBytes, otherBytes, hasUrgent, next] = [0, 0, false, Infinity];
    const waiting: Stream[] = [];
    for (const stream of this.streams) {
      const isNeeded = !this.preempts || isUrgent(stream.object);
      if (isNeeded) giveUrgent(stream, nowMs);
      else if (!stream.isHeld && restOf(stream) > 0) waiting.push(stream);
      if (stream.isHeld || nowMs >= stream.quietSinceMs + patienceMs) continue;
      next = Math.min(next, stream.quietSinceMs + patienceMs);
      if (isNeeded && stream.receivedBytes < DOWNLOAD_BYTES) {
        hasUrgent = true;
        urgentBytes += Math.min(bdp, urgentBytesOf(stream));
      } else if (!isNeeded) otherBytes += underWay(stream);
    }
    let room = (hasUrgent ? this.fillBdps : TAIL_BDPS) * bdp - urgentBytes - otherBytes;
    if (nowMs >= this.scavengedMs + STARVING_MS) room = Math.max(room, MIN_CREDIT_BYTES);
    waiting.sort((a, b) => levelOf(a.object) - levelOf(b.object) || inDocumentOrder(a.object, b.object));
    for (const stream of waiting) {
      const rest = restOf(stream);
      let bytes = Math.floor(Math.min(rest, room));
      if (bytes >= Math.min(MIN_CREDIT_BYTES, rest)) this.scavengedMs = nowMs;
      else {
        room = 0;
        bytes = nowMs >= stream.givenMs + SIGN_OF_LIFE.everyMs ? Math.min(rest, SIGN_OF_LIFE.bytes) : 0;
      }
      if (bytes > 0) giveTo(stream, bytes, nowMs);
      room -= bytes;
      next = Math.min(next, stream.givenMs + SIGN_OF_LIFE.everyMs);
    }
    if (waiting.length === 0) this.nextTimerMs = null;
    else this.nextTimerMs = Math.min(next, Math.max(nowMs + MIN_PATIENCE_MS, this.scavengedMs + STARVING_MS));
  }
}

function underWay({ creditBytes, receivedBytes, length }: Stream): number {
  return Math.max(0, Math.min(creditBytes, length ?? creditBytes) - receivedBytes);
}

/** What may still be given to it. */
function restOf({ object, length, hasAnswered, receivedBytes, creditBytes }: Stream): number {
  if (length !== null) return length - creditBytes;
  const assumed = hasAnswered ? ASSUMED_BYTES.most : Math.min(ASSUMED_BYTES.most, Math.max(ASSUMED_BYTES.least, Math.ceil(object.bytes)));
  return receivedBytes + assumed - creditBytes;
}

/** What keeps the link busy: an answer that has not begun does not, yet. */
function urgentBytesOf({ hasAnswered, length, receivedBytes }: Stream): number {
  return hasAnswered ? (length ?? Infinity) - receivedBytes : 0;
}

function giveUrgent(stream: Stream, nowMs: number): void {
  const open = stream.creditBytes - stream.receivedBytes;
  if (stream.isHeld || open > URGENT_CREDIT_BYTES / 2) return;
  // what is there in a moment needs no more
  if (stream.length !== null && stream.creditBytes >= stream.length) return;
  giveTo(stream, URGENT_CREDIT_BYTES - open, nowMs);
}

function giveTo(stream: Stream, bytes: number, nowMs: number): void {
  stream.givenMs = nowMs;
  stream.creditBytes += bytes;
  stream.give(bytes);
}
