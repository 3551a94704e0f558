import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/** One response to record. */
export interface RecordedObject {
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Pages do not change with the day they are generated on. */
const RECORDED_AT = '2026-01-15T08:00:00Z';

/** A day, as image and style hosts commonly say; documents, which change, are asked for at every visit. */
const MAX_AGE_SECONDS = 86_400;
const isDocument = (contentType: string): boolean => contentType.startsWith('text/html');

/** Writes a WARC/1.1 file (ISO 28500), one gzip member a record; the first object is where a browser enters. */
export function encodeWarc(objects: readonly RecordedObject[], description: string): Uint8Array {
  const information = Buffer.from(`software: firstscreen e2e/pages\r\nformat: WARC File Format 1.1\r\ndescription: ${description}\r\n`);
  const records = [encodeRecord('warcinfo', 'application/warc-fields', information)];
  for (const object of objects) {
    records.push(encodeRecord('response', 'application/http; msgtype=response', encodeResponse(object), object.url));
  }
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

function encodeResponse(object: RecordedObject): Buffer {
  const lines = [
    'HTTP/1.1 200 OK',
    `Content-Type: ${object.contentType}`,
    `Content-Length: ${object.body.length}`,
    `Cache-Control: ${isDocument(object.contentType) ? 'no-cache' : `max-age=${MAX_AGE_SECONDS}`}`,
    ...Object.entries(object.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), object.body]);
}

function encodeRecord(type: string, contentType: string, block: Buffer, url?: string): Buffer {
  const lines = [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${contentUuid(block, url ?? type)}>`,
    `WARC-Date: ${RECORDED_AT}`,
    ...(url === undefined ? [] : [`WARC-Target-URI: ${url}`]),
    `WARC-Block-Digest: sha1:${base32(createHash('sha1').update(block).digest())}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${block.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]);
}

/** A UUID of version 8 (RFC 9562, 5.8): the same for the same content, where a random one would change the file. */
function contentUuid(block: Buffer, name: string): string {
  const hex = createHash('sha256').update(name).update('\0').update(block).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** RFC 4648, 6; WARC digests are written so. Bits that do not fill a character do not occur: SHA-1 has 160. */
function base32(bytes: Uint8Array): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let text = '';
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet.charAt((pending >>> (bits - 5)) & 31);
  }
  return text;
}
