import { trimmed, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** As much as usual servers take. */
const MAX_HEAD_BYTES = 16 * 1024;
const END_OF_HEAD = '\r\n\r\n';
/** RFC 9110, sections 5.1 and 5.5; neither folded lines, nor space before the colon, nor the control characters that readers take differently. */
const FIELD = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/** What a message begins with (RFC 9112, section 2.1). */
export interface MessageHead {
  /** The line of the request, or of the status. */
  readonly startLine: string;
  readonly fields: RawHeaders;
}

/** Field lines, each without its end; null where one is none. */
export function fieldsOf(lines: readonly string[]): RawHeaders | null {
  const fields: string[] = [];
  for (const line of lines) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    fields.push(name, trimmed(value));
  }
  return fields;
}

/** Reads heads of messages as their bytes come. It takes no more than what every reader understands in the same way. No I/O. */
export class HeadReader {
  private held = Buffer.alloc(0);

  /** @returns the head, and what comes behind it; `part` where there is more of it to come, `none` where it is none */
  push(chunk: Buffer): { readonly head: MessageHead; readonly behind: Buffer } | 'part' | 'none' {
    const before = this.held.length;
    this.held = Buffer.concat([this.held, chunk.subarray(0, MAX_HEAD_BYTES - before)]);
    const end = this.held.indexOf(END_OF_HEAD, Math.max(0, before - END_OF_HEAD.length));
    if (end < 0) return this.held.length < MAX_HEAD_BYTES ? 'part' : 'none';
    const [startLine = '', ...lines] = this.held.toString('latin1', 0, end).split('\r\n');
    const fields = fieldsOf(lines);
    this.held = Buffer.alloc(0);
    return fields === null ? 'none' : { head: { startLine, fields }, behind: chunk.subarray(end + END_OF_HEAD.length - before) };
  }
}
