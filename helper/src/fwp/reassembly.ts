import type { ByteRange } from '../http/partialContent.ts';
import { RangeSet } from './rangeSet.ts';

/** Bytes that stand at a place of the body. */
interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * The session layer's reorder buffer (FWP, section V-D): the body of an answer as it is read, with placeholders in it, and what replaces them. It gives away, in order and once, what is below the
 * watermark, up to where all placeholders are told, and before the first that nothing has replaced. Offsets are of the body. No I/O and no clock.
 *
 *     given away │ waits: read, perhaps told │ read, not told │ not read
 *            first missing              watermark         readBytes
 */
export class Reassembly {
  readonly lengthBytes: number;
  /** All that has been read of the body. */
  readBytes: number;
  /** All that was given away. */
  takenBytes: number;
  /** Below it every placeholder is known. */
  watermark: number;
  /** Placeholders that nothing has replaced. */
  readonly missing = new RangeSet();
  /** Read and not given away, in order. */
  private readonly pieces: Piece[] = [];
  /** What replaces placeholders that have not been read. */
  private early: Piece[] = [];

  /** @param firstByte where it begins: before it the body was given away by somebody else */
  constructor(firstByte: number, lengthBytes: number) {
    this.readBytes = this.takenBytes = this.watermark = firstByte;
    this.lengthBytes = lengthBytes;
  }

  get waitingBytes(): number {
    return this.readBytes - this.takenBytes;
  }

  get isWhole(): boolean {
    return this.takenBytes === this.lengthBytes;
  }

  /** The next bytes of the connection; they are this object's to change. */
  read(bytes: Buffer): void {
    const piece = { offset: this.readBytes, bytes };
    this.pieces.push(piece);
    this.readBytes += bytes.length;
    for (const patch of this.early) copy(patch, piece);
    this.early = this.early.filter(({ offset, bytes: { length } }) => offset + length > this.readBytes);
  }

  /**
   * All placeholders below the new watermark.
   *
   * @returns whether it can be: placeholders that begin below the former watermark, or go beyond the body, can not
   */
  told(watermark: number, holes: readonly ByteRange[]): boolean {
    const isPossible = watermark >= this.watermark && holes.every(({ first, end }) => first >= this.watermark && first < end && end <= this.lengthBytes);
    if (!isPossible) return false;
    this.watermark = Math.min(watermark, this.lengthBytes);
    for (const hole of holes) this.missing.add(hole);
    return true;
  }

  /** What the server has sent for this place; bytes that are not missing stay as they are. */
  patch(offset: number, bytes: Buffer): void {
    for (const range of this.missing.within({ first: offset, end: offset + bytes.length })) {
      const patch = { offset: range.first, bytes: bytes.subarray(range.first - offset, range.end - offset) };
      for (const piece of this.pieces) copy(patch, piece);
      if (range.end > this.readBytes) this.early.push(patch);
      this.missing.remove(range);
    }
  }

  /** The next bytes that may go; null where nothing may. */
  take(): Buffer | null {
    const [piece] = this.pieces;
    const limit = Math.min(this.watermark, this.missing.first ?? Infinity);
    if (piece === undefined || piece.offset >= limit) return null;
    const bytes = piece.bytes.subarray(0, limit - piece.offset);
    if (bytes.length === piece.bytes.length) this.pieces.shift();
    else this.pieces[0] = { offset: limit, bytes: piece.bytes.subarray(bytes.length) };
    this.takenBytes += bytes.length;
    return bytes;
  }
}

/** Writes what two pieces have in common from one into the other. */
function copy(from: Piece, to: Piece): void {
  const first = Math.max(from.offset, to.offset);
  const end = Math.min(from.offset + from.bytes.length, to.offset + to.bytes.length);
  if (first < end) from.bytes.copy(to.bytes, first - to.offset, first - from.offset, end - from.offset);
}
