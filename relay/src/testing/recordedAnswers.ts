import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** An answer of a recorded page. */
export interface RecordedAnswer {
  readonly url: string;
  readonly status: number;
  /** Content-Type without its parameters, in lower case. */
  readonly type: string;
  /** Content-Encoding, in lower case; empty for none. */
  readonly coding: string;
  readonly body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

/** The answers of a page recorded as WARC (ISO 28500), in their order. @param file in gzip */
export function* recordedAnswers(file: string): Generator<RecordedAnswer> {
  const all = gunzipSync(readFileSync(file));
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf(END_OF_HEAD, at);
    if (end < 0) return;
    const head = all.toString('latin1', at, end);
    const from = end + END_OF_HEAD.length;
    const to = from + Number(fieldIn(head, 'content-length'));
    if (fieldIn(head, 'warc-type') === 'response') yield answerOf(fieldIn(head, 'warc-target-uri'), all.subarray(from, to));
    at = to + END_OF_HEAD.length;
  }
}

function answerOf(url: string, message: Buffer): RecordedAnswer {
  const end = message.indexOf(END_OF_HEAD);
  const head = message.toString('latin1', 0, end);
  const raw = message.subarray(end + END_OF_HEAD.length);
  const body = fieldIn(head, 'transfer-encoding') === 'chunked' ? unchunked(raw) : raw;
  return { url, status: Number(/^HTTP\/\S+ (\d+)/.exec(head)?.[1]), type: fieldIn(head, 'content-type').split(';')[0]?.trim().toLowerCase() ?? '', coding: fieldIn(head, 'content-encoding').toLowerCase(), body };
}

/** RFC 9112, section 7.1; what was recorded without it is left as it is. */
function unchunked(raw: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = raw.indexOf('\r\n', at);
    const size = /^[\da-f]+$/i.test(raw.toString('latin1', at, end)) ? Number.parseInt(raw.toString('latin1', at, end), 16) : NaN;
    if (end < 0 || Number.isNaN(size)) return raw;
    if (size === 0) return Buffer.concat(pieces);
    pieces.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function fieldIn(head: string, name: string): string {
  return new RegExp(`^${name}:[ \\t]*([^\\r\\n]*)`, 'im').exec(head)?.[1]?.trim() ?? '';
}
