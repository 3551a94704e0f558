/**
 * Native messaging frames: a 32-bit length in the machine's byte order (little-endian on every platform we support), then that many bytes of UTF-8 JSON.
 * Source: Chrome's and MDN's native messaging pages. Works on bytes only; JSON is the caller's.
 */
import { FirstscreenError } from '../errors.ts';

const HEADER_BYTES = 4;

/** @throws FirstscreenError E_FRAME_TOO_LARGE when the body is over `maxBytes` */
export function encodeFrame(body: Uint8Array, maxBytes: number): Uint8Array {
  if (body.length > maxBytes) throw tooLarge(body.length, maxBytes);
  const frame = new Uint8Array(HEADER_BYTES + body.length);
  new DataView(frame.buffer).setUint32(0, body.length, true);
  frame.set(body, HEADER_BYTES);
  return frame;
}

/** Cuts a byte stream into frames, whatever pieces it comes in. Holds at most one unfinished frame. */
export class FrameParser {
  private readonly maxBytes: number;
  private chunks: Uint8Array[] = [];
  private bufferedBytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /**
   * Takes the next piece, gives the bodies that it completes.
   *
   * @throws FirstscreenError E_FRAME_TOO_LARGE as soon as a length over the limit is read; the stream can not be followed after that
   */
  push(chunk: Uint8Array): Uint8Array[] {
    this.chunks.push(chunk);
    this.bufferedBytes += chunk.length;
    const bodies: Uint8Array[] = [];
    for (;;) {
      const bodyBytes = this.peekLength();
      if (bodyBytes === null || this.bufferedBytes < HEADER_BYTES + bodyBytes) return bodies;
      bodies.push(this.take(HEADER_BYTES + bodyBytes).slice(HEADER_BYTES));
    }
  }

  /** @throws FirstscreenError E_FRAME_TRUNCATED when the stream ended inside a frame */
  end(): void {
    if (this.bufferedBytes === 0) return;
    throw new FirstscreenError('E_FRAME_TRUNCATED', `The stream ended inside a frame, after ${this.bufferedBytes} bytes of it.`, 'Restart the other side.');
  }

  private peekLength(): number | null {
    if (this.bufferedBytes < HEADER_BYTES) return null;
    const head = this.take(this.bufferedBytes);
    this.chunks = [head];
    this.bufferedBytes = head.length;
    const bodyBytes = new DataView(head.buffer, head.byteOffset, head.length).getUint32(0, true);
    if (bodyBytes > this.maxBytes) throw tooLarge(bodyBytes, this.maxBytes);
    return bodyBytes;
  }

  /** Removes and returns the first `bytes` bytes; copies only when they span several pieces. */
  private take(bytes: number): Uint8Array {
    const first = this.chunks[0];
    if (first !== undefined && first.length >= bytes) {
      if (first.length === bytes) this.chunks.shift();
      else this.chunks[0] = first.subarray(bytes);
      this.bufferedBytes -= bytes;
      return first.subarray(0, bytes);
    }
    const out = new Uint8Array(bytes);
    let filled = 0;
    while (filled < bytes) {
      const piece = this.chunks.shift();
      if (piece === undefined) throw new RangeError('take() asked for more than is buffered');
      const used = piece.subarray(0, bytes - filled);
      out.set(used, filled);
      filled += used.length;
      if (used.length < piece.length) this.chunks.unshift(piece.subarray(used.length));
    }
    this.bufferedBytes -= bytes;
    return out;
  }
}

function tooLarge(bytes: number, maxBytes: number): FirstscreenError {
  return new FirstscreenError('E_FRAME_TOO_LARGE', `A frame of ${bytes} bytes is over the limit of ${maxBytes} bytes.`, 'Send smaller messages; the stream was closed.');
}
