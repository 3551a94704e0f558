import { Duplex } from 'node:stream';
import { FrameBoundaries, FrameSplitter, FrameType, opensFieldBlock, priorityUpdate, windowUpdate, withInitialWindow, type Frame } from './frames.ts';

/** A server says its settings, and that it goes away. */
const MAX_UNASKED_FRAMES = 16;

/**
 * The way of an HTTP/2 session to its socket, on which each stream has the credit (RFC 9113, section 5.2) that somebody
 * else gives it: the server is told that new streams have none, in place of the session's own, and of the session's
 * updates of single streams nothing. Node has no call for either, nor for a new priority of a request that has left
 * (RFC 9218, section 7.1). A server that does not know PRIORITY_UPDATE ignores it (RFC 9113, section 4.1).
 */
export class CreditTransport extends Duplex {
  /** By which undici knows what the socket speaks. */
  readonly alpnProtocol = 'h2';
  private readonly socket: Duplex;
  private readonly splitter = new FrameSplitter();
  private readonly boundaries = new FrameBoundaries((stream, bytes) => this.give(stream, bytes));
  /** What has come and was not passed on; null for its end. */
  private readonly come: (Buffer | null)[] = [];
  private isWanted = false;
  /** A session has begun on it. */
  private isRead = false;
  private readonly waiting: Buffer[] = [];
  private isInFieldBlock = false;
  private hasSettings = false;
  private lastStream = 0;
  private readonly opened: (stream: number) => void;

  /** @param opened the request of this stream leaves now */
  constructor(socket: Duplex, opened: (stream: number) => void) {
    // one piece at a time: see `passNext`
    super({ readableHighWaterMark: 1 });
    this.socket = socket;
    this.opened = opened;
    socket.once('end', () => this.pass([null]));
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  /** So many bytes more may come on a stream. */
  give(stream: number, bytes: number): void {
    this.putBetween(windowUpdate(stream, bytes));
  }

  /** @param value of the Priority field */
  prioritize(stream: number, value: string): void {
    this.putBetween(priorityUpdate(stream, value));
  }

  override _construct(callback: () => void): void {
    this.socket.on('data', (chunk: Buffer) => {
      this.socket.pause();
      this.pass(this.boundaries.split(chunk));
    });
    callback();
  }

  override _read(): void {
    [this.isRead, this.isWanted] = [true, true];
    this.passNext();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.socket.cork();
    for (const piece of this.splitter.push(chunk)) this.send(piece);
    this.socket.write('', callback);
    this.socket.uncork();
  }

  override _final(callback: () => void): void {
    this.socket.end(callback);
  }

  /** It has ended when its socket has: undici takes it for that. */
  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.socket.closed) callback(error);
    else this.socket.once('close', () => callback(error)).destroy();
  }

  private pass(pieces: readonly (Buffer | null)[]): void {
    this.come.push(...pieces);
    this.passNext();
  }

  /**
   * One frame a turn: what a session says of one has to be heard before the next, as it is where the session reads the
   * socket itself. undici loses an answer to a request whose body is on the way when head and body are one turn.
   */
  private passNext(): void {
    if (!this.isRead) {
      // behind what is not read the end would not be heard: many servers end what is silent for ten seconds, and what may not be made twice would be lost on it
      if (this.come.length < MAX_UNASKED_FRAMES) this.socket.resume();
      return;
    }
    if (!this.isWanted) return;
    const piece = this.come.shift();
    if (piece === undefined) {
      this.socket.resume();
      return;
    }
    this.isWanted = false;
    // when all is done that the last one has brought about
    setImmediate(() => this.push(piece));
  }

  private send(piece: Frame | Buffer): void {
    if (Buffer.isBuffer(piece)) {
      this.socket.write(piece);
      return;
    }
    const { type, stream } = piece;
    if (type === FrameType.windowUpdate && stream !== 0) return;
    this.socket.write(withInitialWindow(piece, 0));
    this.hasSettings ||= type === FrameType.settings;
    this.isInFieldBlock = opensFieldBlock(piece);
    if (type === FrameType.headers && stream > this.lastStream) {
      this.lastStream = stream;
      this.opened(stream);
    }
    this.sendWaiting();
  }

  /** What one event brings about is one write, and one record of TLS: a plan ranks dozens of streams, and a place that is known changes credit and priority. */
  private putBetween(frame: Buffer): void {
    this.waiting.push(frame);
    if (this.waiting.length === 1) queueMicrotask(() => this.sendWaiting());
  }

  private sendWaiting(): void {
    if (this.waiting.length === 0 || this.isInFieldBlock || !this.hasSettings || this.destroyed || this.writableEnded) return;
    this.socket.write(Buffer.concat(this.waiting.splice(0)));
  }
}
