import type { Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { Room } from './room.ts';

export interface DecodedSink {
  /** The next decoded bytes. */
  data(bytes: Buffer): void;
  /** No more come. @param isWhole whether that was all, to the end of the body */
  ended(isWhole: boolean): unknown;
}

export interface PeekLimits {
  /** Decoded bytes after which nothing more is looked at: a few kilobytes can stand for gigabytes. */
  readonly decodedBytes: number;
  /** Coded bytes that may wait for their turn; more come only from a link that is faster than this machine decodes. */
  readonly waitingBytes: number;
}

/** All that a content coding may ask for (RFC 9659: 8 MiB for zstd). */
const ZSTD_WINDOW_LOG = 23;
const ZLIB_METHOD = 8;
/** What is served is a few tens of times as long as it is coded; gzip has 1,032 times at the most. */
const BOMB_RATIO = 500;
/** Below it nobody is harmed by what takes so few bytes. */
const BOMB_BYTES = 64 * 1024 * 1024;

/**
 * Looks into a body that is coded (RFC 9110, section 8.4) while it passes: gets a copy of each chunk, and hands out
 * what it means. Nothing waits for it, and whatever is wrong with the body ends the looking and nothing else.
 */
export class DecodedPeek {
  private readonly coding: string;
  private readonly sink: DecodedSink;
  private readonly limits: PeekLimits;
  private readonly room: Room;
  private decoder: Transform | null = null;
  private decodedBytes = 0;
  private isOver = false;
  private over = (): void => undefined;
  /** Who waits until a chunk has been looked into, in the order of the chunks. */
  private readonly unread = new Set<() => void>();

  /**
   * @param coding Content-Encoding; null or empty for none. Several codings, and unknown ones, are not looked into
   * @param room decoded bytes of several bodies that are looked into at a time, as decoders and readers may keep all of them: each is ended or closed. What finds no room is looked into no further
   */
  constructor(coding: string | null, sink: DecodedSink, limits: PeekLimits, room = new Room(Infinity)) {
    this.coding = (coding ?? '').trim().toLowerCase();
    this.sink = sink;
    this.limits = limits;
    this.room = room;
  }

  /** @param read called once, when all that this chunk means was handed out, or will not be */
  write(chunk: Buffer, read?: () => void): void {
    if (this.isOver || chunk.length === 0) {
      read?.();
      return;
    }
    if (this.coding === '' || this.coding === 'identity') {
      this.take(chunk);
      read?.();
      return;
    }
    this.decoder ??= this.open(chunk);
    if (read !== undefined) this.unread.add(read);
    if (this.decoder === null || this.decoder.writableLength > this.limits.waitingBytes) this.finish(false);
    else this.decoder.write(chunk, () => this.hasRead(read));
  }

  /** The body is complete. @param over called when nothing more is handed out; it may not throw */
  end(over = (): void => undefined): void {
    if (this.isOver) over();
    else this.over = over;
    if (this.decoder === null) this.finish(this.coding === '' || this.coding === 'identity');
    else this.decoder.end();
  }

  /** The body is cut off, or nobody wants to know more. */
  close(): void {
    this.finish(false);
  }

  private open(first: Buffer): Transform | null {
    const decoder = decoderOf(this.coding, first);
    decoder?.on('data', (bytes: Buffer) => this.take(bytes));
    decoder?.on('end', () => this.finish(true));
    decoder?.on('error', () => this.finish(false));
    return decoder;
  }

  private take(bytes: Buffer): void {
    if (this.isOver) return;
    const hasRoom = this.room.take(bytes.length);
    if (hasRoom) this.decodedBytes += bytes.length;
    if (!hasRoom || this.decodedBytes > this.limits.decodedBytes) {
      this.finish(false);
      return;
    }
    try {
      this.sink.data(bytes);
    } catch {
      // thrown in the decoder's callback it would end the process, and every tunnel with it
      this.finish(false);
    }
  }

  private hasRead(read: (() => void) | undefined): void {
    // what the decoder has made of it is handed out by then
    if (read !== undefined) setImmediate(() => this.unread.delete(read) && read());
  }

  private finish(isWhole: boolean): void {
    if (this.isOver) return;
    this.isOver = true;
    this.decoder?.destroy();
    this.room.give(this.decodedBytes);
    try {
      this.sink.ended(isWhole);
    } catch {
      // as above: the body goes on as it is
    }
    for (const read of [...this.unread]) if (this.unread.delete(read)) read();
    this.over();
  }
}

/** Whether a body that goes on so would keep whoever decodes it at work for what its sender pays nothing for. */
export function isBomb(codedBytes: number, decodedBytes: number): boolean {
  return decodedBytes > BOMB_BYTES && decodedBytes > BOMB_RATIO * codedBytes;
}

/** What takes a content coding away (RFC 9110, section 8.4.1). @param first bytes of the body @returns null for several codings, and for unknown ones */
export function decoderOf(coding: string, first: Buffer): Transform | null {
  return DECODERS.get(coding)?.(first) ?? null;
}

export function isDecodable(coding: string): boolean {
  return DECODERS.has(coding);
}

/** By coding, of the body's first bytes. */
const DECODERS = new Map<string, (first: Buffer) => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  // some servers leave its wrapping off, and browsers take both (RFC 9110, section 8.4.1.2)
  ['deflate', (first) => (((first[0] ?? 0) & 0x0f) === ZLIB_METHOD ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })],
]);
