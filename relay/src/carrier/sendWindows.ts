/** Of a client's connection preface (RFC 9113, section 3.4), and of each frame (section 4.1). */
const PREFACE_BYTES = 24;
const HEADER_BYTES = 9;
/** RFC 9113, section 6. */
const FRAME = { headers: 0x1, reset: 0x3, settings: 0x4, windowUpdate: 0x8 } as const;
const ACK = 0x1;
const INITIAL_WINDOW_SIZE = 0x4;
const SETTING_BYTES = 6;
/** Until a side says something else (RFC 9113, section 6.9.2). */
const DEFAULT_WINDOW_BYTES = 65_535;
/** Longer SETTINGS are an error of the connection (RFC 9113, section 4.2), which the session finds by itself. */
const MAX_PAYLOAD_BYTES = 16_384;
const UINT31 = 0x7fff_ffff;

/**
 * How much the other side takes, of each stream and in all (RFC 9113, section 5.2), from what it says. Node tells nobody the window of a stream, and what is written beyond it waits in the session, which
 * sends it at once when the window opens, whatever is more urgent by then. So nothing is written beyond it. No I/O.
 */
export class SendWindows {
  private skippedBytes = PREFACE_BYTES;
  private readonly header = new Uint8Array(HEADER_BYTES);
  private headerBytes = 0;
  private payload: Uint8Array | null = null;
  private payloadBytes = 0;
  private initialBytes = DEFAULT_WINDOW_BYTES;
  private connectionBytes = DEFAULT_WINDOW_BYTES;
  /** More than the initial window that a stream has, or less, from its first frame on. */
  private readonly streams = new Map<number, number>();
  private lastStream = 0;
  private readonly broken: (stream: number) => void;

  /** @param broken told of each stream that the other side breaks off (RFC 9113, section 6.4) */
  constructor(broken: (stream: number) => void) {
    this.broken = broken;
  }

  /** What a stream may send now. */
  roomOf(stream: number): number {
    return Math.max(0, Math.min(this.connectionBytes, this.initialBytes + (this.streams.get(stream) ?? 0)));
  }

  /** So many bytes of a stream have left. */
  sent(stream: number, bytes: number): void {
    this.connectionBytes -= bytes;
    this.add(stream, -bytes);
  }

  /** The session tells of a stream: those before it that it has not told of were refused. */
  opened(stream: number, isOpen: (stream: number) => boolean): void {
    for (const each of this.streams.keys()) if (each < stream && !isOpen(each)) this.streams.delete(each);
    if (stream > this.lastStream) this.lastStream = stream;
    if (!this.streams.has(stream)) this.streams.set(stream, 0);
  }

  /** A stream of our own (RFC 9113, section 8.4), whose numbers are apart from the other side's. */
  pushed(stream: number): void {
    this.streams.set(stream, 0);
  }

  closed(stream: number): void {
    this.streams.delete(stream);
  }

  /** The next bytes that have come, in whatever pieces. @returns whether a window may be larger now */
  read(chunk: Uint8Array): boolean {
    let hasChanged = false;
    for (let at = 0; at < chunk.length; ) {
      if (this.skippedBytes > 0) {
        const step = Math.min(this.skippedBytes, chunk.length - at);
        this.skippedBytes -= step;
        at += step;
      } else if (this.payload !== null) {
        const step = Math.min(this.payload.length - this.payloadBytes, chunk.length - at);
        this.payload.set(chunk.subarray(at, at + step), this.payloadBytes);
        this.payloadBytes += step;
        at += step;
      } else {
        const step = Math.min(HEADER_BYTES - this.headerBytes, chunk.length - at);
        this.header.set(chunk.subarray(at, at + step), this.headerBytes);
        this.headerBytes += step;
        at += step;
        if (this.headerBytes === HEADER_BYTES) this.begin();
      }
      if (this.payload !== null && this.payloadBytes === this.payload.length) {
        this.apply(this.payload);
        this.payload = null;
        hasChanged = true;
      }
    }
    return hasChanged;
  }

  private begin(): void {
    this.headerBytes = 0;
    const { length, type, flags, stream } = this.frame();
    if (type === FRAME.headers && stream > this.lastStream) {
      this.lastStream = stream;
      this.streams.set(stream, 0);
    }
    if (type === FRAME.reset) this.broken(stream);
    const isRead = type === FRAME.windowUpdate || (type === FRAME.settings && (flags & ACK) === 0);
    if (!isRead || length > MAX_PAYLOAD_BYTES) this.skippedBytes = length;
    else [this.payload, this.payloadBytes] = [new Uint8Array(length), 0];
  }

  private apply(payload: Uint8Array): void {
    const view = new DataView(payload.buffer);
    const { type, stream } = this.frame();
    if (type === FRAME.windowUpdate && payload.length === 4) {
      const bytes = view.getUint32(0) & UINT31;
      if (stream === 0) this.connectionBytes += bytes;
      else this.add(stream, bytes);
    }
    if (type === FRAME.settings) {
      for (let at = 0; at + SETTING_BYTES <= payload.length; at += SETTING_BYTES) {
        if (view.getUint16(at) === INITIAL_WINDOW_SIZE) this.initialBytes = view.getUint32(at + 2);
      }
    }
  }

  private frame(): { readonly length: number; readonly type: number; readonly flags: number; readonly stream: number } {
    const view = new DataView(this.header.buffer);
    return { length: view.getUint32(0) >>> 8, type: view.getUint8(3), flags: view.getUint8(4), stream: view.getUint32(5) & UINT31 };
  }

  /** To a stream that is over nothing is added: what is said of it may come late (RFC 9113, section 5.1). */
  private add(stream: number, bytes: number): void {
    const more = this.streams.get(stream);
    if (more !== undefined) this.streams.set(stream, more + bytes);
  }
}
