/** RFC 9113, section 4.1. */
export const FRAME_HEADER_BYTES = 9;
/** Of a client's connection preface (RFC 9113, section 3.4). */
const PREFACE_BYTES = 24;
/** RFC 9113, section 6; PRIORITY_UPDATE: RFC 9218, section 7.1. */
export const FrameType = { data: 0x0, headers: 0x1, settings: 0x4, windowUpdate: 0x8, continuation: 0x9, priorityUpdate: 0x10 } as const;
const FLAG = { ack: 0x1, endStream: 0x1, endHeaders: 0x4, padded: 0x8 };
const INITIAL_WINDOW_SIZE = 0x4;
const SETTING_BYTES = 6;

/** A whole frame as it is on the wire. */
export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly bytes: Buffer;
}

/** Parts what an HTTP/2 client sends into its preface (null) and whole frames, whatever pieces it comes in. */
export class FrameSplitter {
  private rest: Buffer = Buffer.alloc(0);
  private hasPreface = false;

  *push(chunk: Buffer): Generator<Frame | Buffer, void, undefined> {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    if (!this.hasPreface) {
      if (this.rest.length < PREFACE_BYTES) return;
      this.hasPreface = true;
      yield this.take(PREFACE_BYTES);
    }
    while (this.rest.length >= FRAME_HEADER_BYTES) {
      const length = FRAME_HEADER_BYTES + this.rest.readUIntBE(0, 3);
      if (this.rest.length < length) return;
      const bytes = this.take(length);
      yield { type: bytes.readUInt8(3), flags: bytes.readUInt8(4), stream: bytes.readUInt32BE(5) & 0x7fff_ffff, bytes };
    }
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }
}

/** Parts what a server sends where frames begin; a piece is passed on at once, whole frame or not. */
export class FrameBoundaries {
  private readonly header = Buffer.alloc(FRAME_HEADER_BYTES);
  private headerLength = 0;
  /** Bytes still to come behind the header. */
  private restBytes = 0;
  private isPadded = false;
  private readonly padded: (stream: number, bytes: number) => void;

  /** @param padded so much of a stream that goes on was padding, which its window counts (RFC 9113, section 6.1) and nobody is handed */
  constructor(padded: (stream: number, bytes: number) => void) {
    this.padded = padded;
  }

  split(chunk: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    let begin = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.headerLength < FRAME_HEADER_BYTES) {
        const step = Math.min(FRAME_HEADER_BYTES - this.headerLength, chunk.length - at);
        chunk.copy(this.header, this.headerLength, at, at + step);
        this.headerLength += step;
        at += step;
        if (this.headerLength < FRAME_HEADER_BYTES) break;
        this.restBytes = this.header.readUIntBE(0, 3);
        this.isPadded = this.header.readUInt8(3) === FrameType.data && (this.header.readUInt8(4) & (FLAG.padded | FLAG.endStream)) === FLAG.padded;
      }
      const step = Math.min(this.restBytes, chunk.length - at);
      if (this.isPadded && step > 0) {
        this.isPadded = false;
        // its length is the first byte, and is counted, too
        this.padded(this.header.readUInt32BE(5) & 0x7fff_ffff, 1 + chunk.readUInt8(at));
      }
      this.restBytes -= step;
      at += step;
      if (this.restBytes > 0) break;
      this.headerLength = 0;
      pieces.push(chunk.subarray(begin, at));
      begin = at;
    }
    if (begin < chunk.length) pieces.push(chunk.subarray(begin));
    return pieces;
  }
}

/** Between such a frame and the next nothing else may come (RFC 9113, section 6.10). */
export function opensFieldBlock({ type, flags }: Frame): boolean {
  return (type === FrameType.headers || type === FrameType.continuation) && (flags & FLAG.endHeaders) === 0;
}

/** A SETTINGS frame that says another window of new streams, where it says one; any other frame as it is. */
export function withInitialWindow(frame: Frame, windowBytes: number): Buffer {
  if (frame.type !== FrameType.settings || (frame.flags & FLAG.ack) !== 0) return frame.bytes;
  const bytes = Buffer.from(frame.bytes);
  for (let at = FRAME_HEADER_BYTES; at + SETTING_BYTES <= bytes.length; at += SETTING_BYTES) {
    if (bytes.readUInt16BE(at) === INITIAL_WINDOW_SIZE) bytes.writeUInt32BE(windowBytes, at + 2);
  }
  return bytes;
}

/** So many bytes more may be sent on a stream (RFC 9113, section 6.9). */
export function windowUpdate(stream: number, bytes: number): Buffer {
  const frame = frameOf(FrameType.windowUpdate, stream, 4);
  frame.writeUInt32BE(bytes, FRAME_HEADER_BYTES);
  return frame;
}

/** A request has another priority. @param value of the Priority field (RFC 9218, section 4) */
export function priorityUpdate(stream: number, value: string): Buffer {
  const frame = frameOf(FrameType.priorityUpdate, 0, 4 + value.length);
  frame.writeUInt32BE(stream, FRAME_HEADER_BYTES);
  frame.write(value, FRAME_HEADER_BYTES + 4, 'latin1');
  return frame;
}

function frameOf(type: number, stream: number, payloadBytes: number): Buffer {
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + payloadBytes);
  frame.writeUIntBE(payloadBytes, 0, 3);
  frame.writeUInt8(type, 3);
  frame.writeUInt32BE(stream, 5);
  return frame;
}
