import { FetchClass, levelOf } from '../../../shared/src/fetching/fetchObject.ts';

/** Of one stream, until the socket has drained: a frame of HTTP/2 as every side takes it (RFC 9113, section 4.2), and what a new rank waits for at most. */
export const MAX_TURN_BYTES = 16_384;

const bothLevels = (fetchClass: FetchClass): ReadonlySet<number> => new Set([true, false].map((isAwaited) => levelOf({ fetchClass, isAwaited })));
const LAYOUT = bothLevels(FetchClass.layout);
const IN_VIEW = bothLevels(FetchClass.inView);

/** In view, what is larger comes behind what is smaller (rats before elephants, NSF report, section VI): a bandwidth-delay product of a 3G link. */
const LARGE_BYTES = 32_000;

/** What decides among streams of one level. */
export interface StreamOrder {
  /** Of layout files: how soon the browser wants it, 0 to 7, lower is sooner. */
  readonly urgency: number;
  /** Of the whole; null where that is not known, Infinity where it may have no end. */
  readonly bytes: number | null;
  /** It has an end, whether or not that is known, is of no use before it, and what it asks for comes after that. */
  readonly isScript: boolean;
}

/** Which stream writes now, and how much. */
export interface Turn {
  readonly stream: number;
  readonly bytes: number;
  readonly level: number;
}

interface Waiting extends StreamOrder {
  level: number;
  /** What its source has ready. */
  readyBytes: number;
  writtenBytes: number;
  /** When it was opened, in turns, so that nothing new goes before what has waited; of what may have no end, when it wrote the last time. */
  lastTurn: number;
  /** Of opening. */
  readonly place: number;
}

/**
 * What goes next over a carrier: the stream of the lowest level that has bytes and room, one at a time. No I/O and no clock: events in, `next` is the decision.
 * It is asked for when the socket takes more, so that everything known by then counts.
 */
export class SendQueue {
  private readonly streams = new Map<number, Waiting>();
  private turns = 0;
  private opened = 0;

  /** @param level as `levelOf` gives it, lower is sooner */
  open(stream: number, level: number, { urgency, bytes, isScript }: StreamOrder): void {
    this.streams.set(stream, { level, urgency, bytes, isScript, readyBytes: 0, writtenBytes: 0, lastTurn: this.turns, place: this.opened++ });
  }

  /** A stream that is over has no rank; nothing is said of one that was never there. */
  rank(stream: number, level: number): void {
    const waiting = this.streams.get(stream);
    if (waiting !== undefined) waiting.level = level;
  }

  /** So many bytes are ready for a stream in all. */
  ready(stream: number, bytes: number): void {
    const waiting = this.streams.get(stream);
    if (waiting !== undefined) waiting.readyBytes = bytes;
  }

  /** Whether something is ready that is as urgent as that. */
  isReady(level: number): boolean {
    return [...this.streams.values()].some((waiting) => waiting.readyBytes > 0 && waiting.level <= level);
  }

  close(stream: number): void {
    this.streams.delete(stream);
  }

  /**
   * Decides, and counts the bytes as written.
   *
   * @param roomOf how much of a stream may go now; one that may not is passed over
   */
  next(roomOf: (stream: number, level: number) => number): Turn | null {
    let best: (Turn & { readonly waiting: Waiting }) | null = null;
    for (const [stream, waiting] of this.streams) {
      if (waiting.readyBytes === 0 || (best !== null && !goesBefore(waiting, best.waiting))) continue;
      const bytes = Math.min(waiting.readyBytes, roomOf(stream, waiting.level), MAX_TURN_BYTES);
      if (bytes > 0) best = { stream, bytes, level: waiting.level, waiting };
    }
    if (best === null) return null;
    const { stream, bytes, level, waiting } = best;
    waiting.readyBytes -= bytes;
    waiting.writtenBytes += bytes;
    this.turns += 1;
    if (!waiting.isScript && !Number.isFinite(waiting.bytes)) waiting.lastTurn = this.turns;
    return { stream, bytes, level };
  }
}

function goesBefore(a: Waiting, b: Waiting): boolean {
  if (a.level !== b.level) return a.level < b.level;
  if (LAYOUT.has(a.level) && a.urgency !== b.urgency) return a.urgency < b.urgency;
  if (!IN_VIEW.has(a.level)) return a.place < b.place;
  // one picture or script is whole before the next; what may have no end takes turns
  if (isLarge(a) !== isLarge(b)) return isLarge(b);
  return a.lastTurn === b.lastTurn ? a.place < b.place : a.lastTurn < b.lastTurn;
}

/** What does not say its size, as drawings that are compressed on their way, is taken for small until it has shown that it is not. */
function isLarge({ bytes, writtenBytes, isScript }: Waiting): boolean {
  return !isScript && (bytes ?? writtenBytes) > LARGE_BYTES;
}
