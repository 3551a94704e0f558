import { contentRangeOf, type ContentRange } from '../http/partialContent.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { fieldsOf } from '../http/messageHead.ts';

/** Of one part with its delimiter; two fields are usual. */
const MAX_HEAD_BYTES = 4_096;
const END_OF_HEAD = '\r\n\r\n';
/** RFC 2046, section 5.1.1; a boundary with other characters is quoted. */
const TYPE = /^multipart\/byteranges\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** Who gets the bytes of parts. @returns whether they can be of what was asked for */
export type TakeBytes = (range: ContentRange, offset: number, bytes: Buffer) => boolean;

/** The boundary of a body of several ranges; null where it is none. */
export function boundaryOf(fields: RawHeaders): string | null {
  const [, quoted, plain] = TYPE.exec(valueOf(fields, 'content-type') ?? '') ?? [];
  return quoted ?? plain ?? null;
}

/** Reads a body of several ranges (RFC 9110, section 14.6) as it comes. No I/O. */
export class MultipartRanges {
  /** The last delimiter has come: nothing more is looked at. */
  isWhole = false;
  private readonly delimiter: string;
  private readonly take: TakeBytes;
  private head = Buffer.alloc(0);
  private range: ContentRange | null = null;
  /** Of the part that comes: how much of it has. */
  private partBytes = 0;

  constructor(boundary: string, take: TakeBytes) {
    this.delimiter = `--${boundary}`;
    this.take = take;
  }

  /** @returns whether it is such a body, as far as it has come */
  push(chunk: Buffer): boolean {
    for (let rest = chunk; rest.length > 0 && !this.isWhole; ) {
      const next = this.range === null ? this.pushHead(rest) : this.pushPart(this.range, rest);
      if (next === null) return false;
      rest = next;
    }
    return true;
  }

  private pushPart(range: ContentRange, bytes: Buffer): Buffer | null {
    const part = bytes.subarray(0, range.end - range.first - this.partBytes);
    if (!this.take(range, range.first + this.partBytes, part)) return null;
    this.partBytes += part.length;
    if (this.partBytes === range.end - range.first) this.range = null;
    return bytes.subarray(part.length);
  }

  private pushHead(bytes: Buffer): Buffer | null {
    const before = this.head.length;
    this.head = Buffer.concat([this.head, bytes.subarray(0, MAX_HEAD_BYTES - before)]);
    const text = this.head.toString('latin1').replace(/^(?:\r\n)+/, '');
    if (text.startsWith(`${this.delimiter}--`)) {
      this.isWhole = true;
      return bytes;
    }
    const end = this.head.indexOf(END_OF_HEAD, Math.max(0, this.head.length - text.length));
    if (end < 0) return this.head.length < MAX_HEAD_BYTES ? bytes.subarray(bytes.length) : null;
    const [delimiter, ...lines] = text.slice(0, text.indexOf(END_OF_HEAD)).split('\r\n');
    this.range = delimiter?.trimEnd() === this.delimiter ? contentRangeOf(fieldsOf(lines) ?? []) : null;
    this.head = Buffer.alloc(0);
    this.partBytes = 0;
    return this.range === null ? null : bytes.subarray(end + END_OF_HEAD.length - before);
  }
}
