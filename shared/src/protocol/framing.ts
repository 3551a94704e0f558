/**
 * Native messaging frames: a 32-bit length in the machine's byte order (little-endian on every platform we support),
 * then that many bytes of UTF-8 JSON. Source: Chrome's and MDN's native messaging pages. Works on bytes only; JSON is
 * the caller's.
 */
import { FirstscreenError } from '../errors.ts';

const HEADER_BYTES = 4;
/**
 * Browsers send a native host no more than this at once (Chrome's native messaging page): a larger length is no length
 * at all.
 */
const MAX_SKIPPED_BYTES = 64 * 1024 * 1024;

/** @throws FirstscreenError E_FRAME_TOO_LARGE when the body is over `maxBytes` */
export function encodeFrame(body: Uint8Array, maxBytes: number): Uint8Array {
  if (body.length > maxBytes) throw tooLarge(body.length, maxBytes);
  const frame = new Uint8Array(HEADER_BYTES + body.length);
  new DataView(frame.buffer).setUint32(0, body.length, true);
  frame.set(body, HEADER_BYTES);
  return frame;
}

/**
 * Cuts a byte stream into frames, whatever pieces it comes in.
 *
 * Holds one unfinished frame and copies each byte once, so a sender who dribbles or who announces much and sends
 * nothing costs at most `maxBytes`.
 */
export class FrameParser {
  private readonly maxBytes: number;
  private readonly header = new Uint8Array(HEADER_BYTES);
  /** null while the header is being read. */
  private body: Uint8Array | null = null;
  /** Bytes received of the header, or of the body once there is one. */
  private filledBytes = 0;
  /** Still to come of a body that is passed over. */
  private skippedBytes = 0;
  private readonly tooLarge: ((error: FirstscreenError) => void) | null;

  /** @param tooLarge told of each body over the limit, which is passed over; null when the first one ends the stream */
  constructor(maxBytes: number, tooLarge: ((error: FirstscreenError) => void) | null = null) {
    this.maxBytes = maxBytes;
    this.tooLarge = tooLarge;
  }

  /**
   * Takes the next piece, gives the bodies that it completes. Cuts while the caller iterates, so that frames before a
   * bad one are still delivered; iterate to the end before the next call.
   *
   * @throws FirstscreenError E_FRAME_TOO_LARGE as soon as a length is read that ends the stream, which can not be
   * followed after that
   */
  *push(chunk: Uint8Array): Generator<Uint8Array, void, undefined> {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.skippedBytes > 0) {
        const skipped = Math.min(this.skippedBytes, rest.length);
        this.skippedBytes -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      const target = this.body ?? this.header;
      const piece = rest.subarray(0, target.length - this.filledBytes);
      target.set(piece, this.filledBytes);
      this.filledBytes += piece.length;
      rest = rest.subarray(piece.length);
      if (this.filledBytes < target.length) return;
      this.filledBytes = 0;
      if (this.body === null) {
        this.body = this.begin();
        if (this.body === null || this.body.length > 0) continue;
      }
      const complete = this.body;
      this.body = null;
      yield complete;
    }
  }

  /** @throws FirstscreenError E_FRAME_TRUNCATED when the stream ended inside a frame */
  end(): void {
    if (this.body === null && this.filledBytes === 0 && this.skippedBytes === 0) return;
    const receivedBytes = this.filledBytes + (this.body === null ? 0 : HEADER_BYTES);
    throw new FirstscreenError('E_FRAME_TRUNCATED', `The stream ended inside a frame, after ${receivedBytes} bytes of it.`, 'Restart the other side.');
  }

  /** @returns null for a body that is passed over */
  private begin(): Uint8Array | null {
    const bodyBytes = new DataView(this.header.buffer).getUint32(0, true);
    if (bodyBytes <= this.maxBytes) return new Uint8Array(bodyBytes);
    const error = tooLarge(bodyBytes, this.maxBytes);
    if (this.tooLarge === null || bodyBytes > MAX_SKIPPED_BYTES) throw error;
    this.skippedBytes = bodyBytes;
    this.tooLarge(error);
    return null;
  }
}

function tooLarge(bytes: number, maxBytes: number): FirstscreenError {
  return new FirstscreenError('E_FRAME_TOO_LARGE', `A frame of ${bytes} bytes is over the limit of ${maxBytes} bytes.`, 'Send smaller messages.');
}
