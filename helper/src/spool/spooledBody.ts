import { setTimeout as sleep } from 'node:timers/promises';
import { SpoolBudget, type SpoolPlace } from './spoolBudget.ts';
import { SpoolParts, type SpoolPart } from './spoolParts.ts';

export interface SpoolOptions {
  /** Of all bodies together. */
  readonly budget: SpoolBudget;
  /** Where files are made; private to the user. */
  readonly directory: string;
  /** Of one body, in bytes. */
  readonly maxBytes: Readonly<Record<SpoolPlace, number>>;
}

const MEBIBYTE = 1024 * 1024;
/** Of one body, and of all together. */
const ONE_BYTES = { memory: 1 * MEBIBYTE, disk: 256 * MEBIBYTE };
const ALL_BYTES = { memory: 32 * MEBIBYTE, disk: 1024 * MEBIBYTE };

/** A spool of the usual sizes, for all that comes one way. */
export function spoolOf(directory: string): SpoolOptions {
  return { budget: new SpoolBudget(ALL_BYTES), directory, maxBytes: ONE_BYTES };
}

/** One written chunk, in its order. */
interface Segment {
  /** Null once it is in the file alone. */
  bytes: Buffer | null;
  readonly length: number;
  /** Null for what is beyond every bound: it was here when the writer was told to wait. */
  place: SpoolPlace | null;
  /** On the disk. */
  part: SpoolPart | null;
}

/** A reader that is only a moment behind is waited for; what comes meanwhile is in the kernel's buffer. Far below any time-out, and any reader's stop. */
const DISK_AFTER_MS = 20;
/** So much may be on its way to the disk; a disk that is slower than the link makes the writer wait. */
const MAX_WRITING_BYTES = 1 * MEBIBYTE;

/**
 * IB, infinite buffering (A3, section 3.4): takes a body at the line's rate whatever its reader takes, first in memory, then in a file, and gives it in order
 * and exact. When neither has room, or the disk fails, the writer has to wait, as with any stream. One writer, one reader.
 */
export class SpooledBody {
  private readonly options: SpoolOptions;
  private readonly segments: Segment[] = [];
  private readonly used: Record<SpoolPlace, number> = { memory: 0, disk: 0 };
  private readonly parts: SpoolParts;
  private writingBytes = 0;
  private hasDisk = true;
  private ending: { readonly error: Error | null } | null = null;
  private isClosed = false;
  private wakeReader: () => void = () => undefined;
  private wakeWriter: () => void = () => undefined;

  constructor(options: SpoolOptions) {
    this.options = options;
    this.parts = new SpoolParts(options.directory);
  }

  /** Takes the next bytes, always. @returns whether there is room for more; if not, wait for `room` */
  write(bytes: Buffer): boolean {
    if (this.isClosed) return true;
    const segment: Segment = { bytes, length: bytes.length, place: null, part: null };
    this.segments.push(segment);
    this.keep(segment, this.used.disk > 0);
    this.wakeReader();
    return this.hasRoom;
  }

  /** Resolves when `write` has room again, or the body is closed. */
  async room(): Promise<void> {
    if (!this.hasRoom && this.used.disk === 0) {
      await Promise.race([this.untilRoom(), sleep(DISK_AFTER_MS)]);
      this.keepWaiting(true);
    }
    await this.untilRoom();
  }

  /** Its reader takes it when its user wants it: nothing goes to the disk, and the writer has to wait for it. */
  stayInMemory(): void {
    this.hasDisk = false;
  }

  /** No more bytes come: all were written, or the error says why not. */
  end(error: Error | null = null): void {
    this.ending ??= { error };
    this.wakeReader();
  }

  /** The bytes in their order; ends with the body, or throws what ended it before. */
  async *read(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const segment = this.segments.shift();
      if (segment !== undefined) {
        let bytes: Buffer;
        try {
          bytes = segment.bytes ?? (await this.readBack(segment));
        } finally {
          // also of what can not be read any more: all bodies share the room
          this.give(segment);
          // what waits has room before the reader comes to it: a server whose bytes nobody takes for a minute ends the connection
          this.keepWaiting(this.used.disk > 0);
          this.wakeWriter();
        }
        yield bytes;
      } else if (this.isClosed) return;
      else if (this.ending !== null) {
        if (this.ending.error !== null) throw this.ending.error;
        return;
      } else await new Promise<void>((resolve) => (this.wakeReader = resolve));
    }
  }

  /** Reader or writer are gone: nothing is kept. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const segment of this.segments.splice(0)) this.give(segment);
    this.wakeReader();
    this.wakeWriter();
    await this.parts.closed();
  }

  private get hasRoom(): boolean {
    return this.writingBytes <= MAX_WRITING_BYTES && !this.segments.some(({ place }) => place === null);
  }

  private async untilRoom(): Promise<void> {
    while (!this.hasRoom && !this.isClosed) await new Promise<void>((resolve) => (this.wakeWriter = resolve));
  }

  private keepWaiting(isLate: boolean): void {
    for (const segment of this.segments.filter(({ place }) => place === null)) this.keep(segment, isLate);
  }

  /** Gives a segment its place, where there is room. @param isLate the reader has not come back in time: for others there is no file */
  private keep(segment: Segment, isLate: boolean): void {
    const { bytes, length } = segment;
    if (this.takes('memory', length)) segment.place = 'memory';
    else if (bytes !== null && isLate && this.takes('disk', length)) {
      segment.place = 'disk';
      segment.part = this.parts.place(length);
      void this.writeOut(segment, segment.part, bytes);
    }
  }

  private takes(place: SpoolPlace, length: number): boolean {
    if ((place === 'disk' && !this.hasDisk) || this.used[place] + length > this.options.maxBytes[place] || !this.options.budget.take(place, length)) return false;
    this.used[place] += length;
    return true;
  }

  private give(segment: Segment): void {
    const { place, part } = segment;
    if (place === null) return;
    this.used[place] -= segment.length;
    this.options.budget.give(place, segment.length);
    [segment.place, segment.part] = [null, null];
    part?.leave();
  }

  private async writeOut(segment: Segment, part: SpoolPart, bytes: Buffer): Promise<void> {
    this.writingBytes += bytes.length;
    try {
      await part.write(bytes);
      segment.bytes = null;
    } catch {
      // full, or not there: what is in memory stays there, and no more is read from the line than the reader takes
      this.hasDisk = false;
      this.give(segment);
    } finally {
      this.writingBytes -= bytes.length;
      this.wakeWriter();
    }
  }

  private async readBack({ part }: Segment): Promise<Buffer> {
    if (part === null) throw new Error('a spooled segment without a file');
    return part.read();
  }
}
