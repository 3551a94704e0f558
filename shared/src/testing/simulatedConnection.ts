import { RECEIVE_WINDOW_BYTES } from '../fetching/streamCredits.ts';
import type { SimulatedClock } from './simulatedClock.ts';
import type { SimulatedLink } from './simulatedLink.ts';

/** What a server answers a request with, and who hears of it. */
export interface SimulatedAnswer {
  /** Of the body. */
  readonly bytes: number;
  readonly thinkMs: number;
  begun(): void;
  came(bytes: number): void;
  ended(): void;
}

interface Stream {
  readonly answer: SimulatedAnswer;
  /** The server: what it may send, and has sent. */
  mayBytes: number;
  sentBytes: number;
  isHeadSent: boolean;
  isThought: boolean;
  /** The client: what may be read, has been read, and waits in the socket. */
  creditBytes: number;
  readBytes: number;
  socketBytes: number;
}

const PACKET_BYTES = 1_460;
const HEAD_BYTES = 200;
/** TCP's first window (RFC 6928), and its least. */
const [FIRST_PACKETS, LEAST_PACKETS] = [10, 2];
/** Of the client's windows over HTTP/2 (helper/src/upstream/receiveWindow.ts), which grow: what is asked when does not hang on that. */
const H2_WINDOW_BYTES = 80_000;
/** A socket is read by pieces of this size at most (libuv). */
const READ_BYTES = 64 * 1024;

/**
 * A connection to a server that sends what it may: TCP's slow start, half the window after a loss, and the lost packet
 * a round trip later. Over HTTP/2 the streams take turns, as with a server that knows nothing of urgency, and each has
 * the credit that it is given; over HTTP/1.1 credit is what is read, and a window of TCP comes beyond it.
 */
export class SimulatedConnection {
  readonly isMultiplexed: boolean;
  private readonly clock: SimulatedClock;
  private readonly link: SimulatedLink;
  /** In the order of their turns. */
  private readonly streams: Stream[] = [];
  private windowBytes = FIRST_PACKETS * PACKET_BYTES;
  private isSlowStart = true;
  private flyingBytes = 0;
  private resumeMs = -Infinity;

  constructor(clock: SimulatedClock, link: SimulatedLink, isMultiplexed: boolean) {
    this.clock = clock;
    this.link = link;
    this.isMultiplexed = isMultiplexed;
  }

  /** What comes of a request without credit. */
  get unreadBytes(): number {
    return this.isMultiplexed ? 0 : RECEIVE_WINDOW_BYTES;
  }

  /** A request leaves. @returns lets so many bytes more come */
  ask(answer: SimulatedAnswer): (bytes: number) => void {
    const stream: Stream = { answer, mayBytes: this.unreadBytes, sentBytes: 0, isHeadSent: false, isThought: false, creditBytes: 0, readBytes: 0, socketBytes: 0 };
    this.streams.push(stream);
    this.link.up(() => {
      this.clock.after(answer.thinkMs, () => {
        stream.isThought = true;
        this.send();
      });
    });
    return (bytes) => {
      stream.creditBytes += bytes;
      if (!this.isMultiplexed) this.clock.after(0, () => this.read(stream));
      else this.allow(stream, stream.creditBytes);
    };
  }

  private allow(stream: Stream, bytes: number): void {
    this.link.up(() => {
      stream.mayBytes = Math.max(stream.mayBytes, bytes);
      this.send();
    });
  }

  private send(): void {
    while (this.clock.nowMs >= this.resumeMs && this.flyingBytes < this.roomBytes) {
      const stream = this.streams.find(hasToSend);
      if (stream === undefined) return;
      const body = Math.min(PACKET_BYTES, stream.mayBytes - stream.sentBytes, stream.answer.bytes - stream.sentBytes);
      const isHead = !stream.isHeadSent;
      const bytes = body + (isHead ? HEAD_BYTES : 0);
      if (!this.link.down(bytes, () => this.arrived(stream, body, isHead, bytes))) {
        this.lost();
        return;
      }
      stream.isHeadSent = true;
      stream.sentBytes += body;
      this.flyingBytes += bytes;
      this.streams.splice(this.streams.indexOf(stream), 1);
      if (stream.sentBytes < stream.answer.bytes) this.streams.push(stream);
    }
  }

  private get roomBytes(): number {
    return this.isMultiplexed ? Math.min(this.windowBytes, H2_WINDOW_BYTES) : this.windowBytes;
  }

  private lost(): void {
    this.windowBytes = Math.max(LEAST_PACKETS * PACKET_BYTES, this.windowBytes / 2);
    this.isSlowStart = false;
    this.resumeMs = this.clock.nowMs + this.link.profile.rttMs;
    this.clock.at(this.resumeMs, () => this.send());
  }

  private arrived(stream: Stream, body: number, isHead: boolean, bytes: number): void {
    this.link.up(() => {
      this.flyingBytes -= bytes;
      this.windowBytes += this.isSlowStart ? bytes : (PACKET_BYTES * bytes) / this.windowBytes;
      this.send();
    });
    if (isHead) stream.answer.begun();
    stream.socketBytes += body;
    this.read(stream);
    if (isHead && stream.answer.bytes === 0) stream.answer.ended();
  }

  private read(stream: Stream): void {
    // over HTTP/1.1 the first piece comes with the head, whatever the credit
    while (stream.socketBytes > 0 && (this.isMultiplexed || stream.readBytes === 0 || stream.readBytes < stream.creditBytes)) {
      const piece = Math.min(READ_BYTES, stream.socketBytes);
      stream.socketBytes -= piece;
      stream.readBytes += piece;
      if (!this.isMultiplexed) this.allow(stream, stream.readBytes + this.unreadBytes);
      stream.answer.came(piece);
      if (stream.readBytes === stream.answer.bytes) stream.answer.ended();
    }
  }
}

function hasToSend({ answer, isThought, isHeadSent, mayBytes, sentBytes }: Stream): boolean {
  return isThought && (!isHeadSent || sentBytes < Math.min(mayBytes, answer.bytes));
}
