/** What a client learns from some bytes of a connection. */
export interface AnswerProgress {
  /** Bytes of the body that were among them. */
  readonly bodyBytes: number;
  /** The answer is whole with them. */
  readonly isWhole: boolean;
}

const HEADER_END = '\r\n\r\n';

/**
 * The least of an HTTP/1.1 answer that a benchmark needs: a status 200, a Content-Length, and that many bytes. Anything else is an error, for it would make a
 * fast way out of one that answers wrongly. Kept small: the client shares its processor with what it measures.
 */
export class AnswerParser {
  private header = '';
  private bytesToCome: number | null = null;

  /** @throws Error for an answer of another kind, and for bytes beyond it: requests are not pipelined */
  push(bytes: Buffer): AnswerProgress {
    const bodyBytes = this.bytesToCome === null ? this.readHeader(bytes) : bytes.length;
    if (this.bytesToCome === null) return { bodyBytes: 0, isWhole: false };
    this.bytesToCome -= bodyBytes;
    if (this.bytesToCome < 0) throw new Error(`an answer is ${-this.bytesToCome} bytes longer than it says`);
    const isWhole = this.bytesToCome === 0;
    if (isWhole) this.bytesToCome = null;
    return { bodyBytes, isWhole };
  }

  /** @returns how many of the bytes belong to the body */
  private readHeader(bytes: Buffer): number {
    const known = this.header.length;
    this.header += bytes.toString('latin1');
    const end = this.header.indexOf(HEADER_END, Math.max(0, known - HEADER_END.length));
    if (end < 0) return 0;
    const header = this.header.slice(0, end);
    const bodyBytes = this.header.length - end - HEADER_END.length;
    this.header = '';
    const length = /^HTTP\/1\.1 200 [^]*\r\ncontent-length: *(\d+)/i.exec(header)?.[1];
    if (length === undefined) throw new Error(`not a 200 with a Content-Length: ${header.slice(0, 300)}`);
    this.bytesToCome = Number(length);
    return bodyBytes;
  }
}
