import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

import { encodeWarc } from './warcWriter.ts';

const OBJECTS = [
  { url: 'https://a.test/', contentType: 'text/html', body: Buffer.from('<p>first</p>') },
  { url: 'https://b.test/x.bin', contentType: 'image/png', body: Uint8Array.of(0, 13, 10, 13, 10, 255), headers: { 'X-Extra': 'yes' } },
];

test('records follow each other as ISO 28500 says, the description first', () => {
  let rest = gunzipSync(encodeWarc(OBJECTS, 'a test'));
  const targets: (string | undefined)[] = [];
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    const head = rest.subarray(0, headEnd).toString();
    const length = Number(/Content-Length: (\d+)/.exec(head)?.[1]);
    const block = rest.subarray(headEnd + 4, headEnd + 4 + length);
    expect(head.startsWith('WARC/1.1\r\n')).toBe(true);
    expect(/sha1:([A-Z2-7]{32})\r\n/.exec(head)?.[1]).toBe(base32(createHash('sha1').update(block).digest()));
    expect(rest.subarray(headEnd + 4 + length, headEnd + 8 + length).toString()).toBe('\r\n\r\n');
    targets.push(/WARC-Target-URI: (\S+)/.exec(head)?.[1]);
    rest = rest.subarray(headEnd + 8 + length);
  }
  expect(targets).toEqual([undefined, 'https://a.test/', 'https://b.test/x.bin']);
});

test('browsers may keep what a document names, and not the document', () => {
  const text = gunzipSync(encodeWarc(OBJECTS, 'a test')).toString('latin1');
  expect(text.match(/Cache-Control: \S+/g)).toEqual(['Cache-Control: no-cache', 'Cache-Control: max-age=86400']);
});

test('every record is a gzip member of its own', () => {
  const encoded = Buffer.from(encodeWarc(OBJECTS, 'a test'));
  // Magic, deflate, no flags, no time (RFC 1952, 2.3).
  const memberStart = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
  let members = 0;
  for (let at = encoded.indexOf(memberStart); at >= 0; at = encoded.indexOf(memberStart, at + 1)) members++;
  expect(members).toBe(OBJECTS.length + 1);
});

test('bodies are kept byte by byte, with their extra header', () => {
  const text = gunzipSync(encodeWarc(OBJECTS, 'a test'));
  expect(text.includes('X-Extra: yes\r\n\r\n')).toBe(true);
  expect(text.includes(Buffer.from([0, 13, 10, 13, 10, 255, 13, 10, 13, 10]))).toBe(true);
});

/** Independent of the writer's: by big integers. */
function base32(bytes: Uint8Array): string {
  const value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const digits = value.toString(32).padStart(32, '0');
  return digits.replace(/./g, (digit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(digit, 32)));
}
