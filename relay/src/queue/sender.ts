import type { ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';
import { FetchClass, levelOf } from '../../../shared/src/fetching/fetchObject.ts';
import { SendQueue, type StreamOrder } from './sendQueue.ts';

/** What the queue knows of the connection below it. */
export interface SendRoom {
  /** How much the other side takes of a stream now. */
  roomOf(stream: number): number;
  /** So many bytes of a stream are written. */
  sent(stream: number, bytes: number): void;
  /** The kernel has all of a turn. */
  left(): void;
  /** Whether so little is on the way that more may go. @param canWait whether something else may be found that is more urgent */
  hasRoom(canWait: boolean): boolean;
  /** Whether the kernel has all that was written before. */
  readonly isDrained: boolean;
}

/** Of a server that speaks what it likes, as in a tunnel. */
export const ENDLESS: StreamOrder = { urgency: 1, bytes: Infinity, isScript: false };

/** What is not known to be in view. */
const CAN_WAIT = levelOf({ fetchClass: FetchClass.unplaced, isAwaited: false });

interface Flow {
  readonly stream: ServerHttp2Stream;
  readonly source: Readable;
}

/**
 * Carries bodies to the streams of one carrier, in the queue's order: one stream writes, and the next decision is made when the kernel has taken that.
 *
 * What Node 24 does, over loopback: a write to a stream calls back when the kernel has it, if the client's window has room, else not before the window opens (with 65,535 bytes the fourth 16 kB wait, and leave
 * then by themselves); writes to other streams go on meanwhile.
 */
export class Sender {
  private readonly queue = new SendQueue();
  private readonly flows = new Map<number, Flow>();
  private readonly room: SendRoom;
  private isDeciding = false;
  /** The stream whose bytes are on the way to the kernel. */
  private writing: number | null = null;
  /** Of the latest turn. */
  private writtenLevel = 0;

  constructor(room: SendRoom) {
    this.room = room;
  }

  /**
   * The stream ends with its source. What goes wrong on either side is for whoever has opened them.
   *
   * @param source in paused mode; nobody else reads it
   * @param level as `levelOf` gives it
   */
  send(stream: ServerHttp2Stream, source: Readable, level: number, order: StreamOrder): void {
    const { id } = stream;
    if (id === undefined || stream.closed) return;
    this.queue.open(id, level, order);
    this.flows.set(id, { stream, source });
    stream.once('close', () => this.close(id));
    source.once('end', () => {
      // on the way out is what was read before
      if (this.flows.has(id)) stream.end();
    });
    source.on('readable', () => this.offer(id, source));
    this.offer(id, source);
  }

  rank(stream: number, level: number): void {
    this.queue.rank(stream, level);
  }

  /** Whether the connection carries, or is about to, what is as urgent as that level, beside what is not ready. */
  isBusy(level: number): boolean {
    if (this.queue.isReady(level)) return true;
    return this.writtenLevel <= level && (this.writing !== null || !this.room.isDrained);
  }

  /** The kernel has taken all, a window is larger, or something has arrived: what is most urgent goes on. */
  goOn(): void {
    // writing calls back
    if (this.isDeciding) return;
    this.isDeciding = true;
    while (this.writing === null && this.room.isDrained) {
      const turn = this.queue.next((stream, level) => (this.room.hasRoom(level >= CAN_WAIT) ? this.room.roomOf(stream) : 0));
      const flow = turn === null ? undefined : this.flows.get(turn.stream);
      if (turn === null || flow === undefined) break;
      this.writtenLevel = turn.level;
      this.write(turn.stream, turn.bytes, flow);
    }
    this.isDeciding = false;
  }

  private offer(id: number, { readableLength }: Readable): void {
    this.queue.ready(id, readableLength);
    // with nothing left a read brings its end about
    if (readableLength === 0) this.flows.get(id)?.source.read();
    else this.goOn();
  }

  private write(id: number, bytes: number, { stream, source }: Flow): void {
    const chunk = source.read(bytes) as Buffer | null;
    // one that was destroyed gives nothing more
    this.queue.ready(id, chunk === null ? 0 : source.readableLength);
    if (chunk === null) return;
    // its end comes with the next read, and what comes next is asked for
    if (source.readableLength === 0) source.read(0);
    this.writing = id;
    this.room.sent(id, chunk.length);
    stream.write(chunk, () => this.written(id));
  }

  private written(id: number): void {
    if (this.writing !== id) return;
    this.writing = null;
    this.room.left();
    this.goOn();
  }

  private close(id: number): void {
    this.queue.close(id);
    this.flows.delete(id);
    this.written(id);
  }
}
