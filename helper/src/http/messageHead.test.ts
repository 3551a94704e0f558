import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadReader, fieldsOf, type MessageHead } from './messageHead.ts';

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);
const value = fc.stringMatching(/^([!-~\x80-\xff]([ -~\x80-\xff]{0,20}[!-~\x80-\xff])?)?$/);
const head = fc.record({ startLine: fc.constantFrom('GET / HTTP/1.1', 'HTTP/1.1 200 OK', ''), fields: fc.array(fc.tuple(name, value), { maxLength: 6 }) });

function textOf({ startLine, fields }: { startLine: string; fields: readonly (readonly [string, string])[] }): string {
  return `${startLine}\r\n${fields.map(([field, text]) => `${field}:${text === '' ? '' : ` ${text} `}\r\n`).join('')}\r\n`;
}

/** What is read of bytes that come in pieces of these sizes, up to the first head. */
function read(bytes: Buffer, sizes: readonly number[]): { head: MessageHead | null; readBytes: number; isNone: boolean } {
  const reader = new HeadReader();
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const piece = bytes.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
    at += piece.length;
    const got = reader.push(piece);
    if (got === 'none') return { head: null, readBytes: at, isNone: true };
    if (got !== 'part') return { head: got.head, readBytes: at - got.behind.length, isNone: false };
  }
  return { head: null, readBytes: bytes.length, isNone: false };
}

describe('the head of a message', () => {
  it('is the same, and ends at the same place, however it is cut into pieces', () => {
    fc.assert(fc.property(head, fc.uint8Array({ maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (one, behind, sizes) => {
      const text = Buffer.from(textOf(one), 'latin1');
      expect(read(Buffer.concat([text, behind]), sizes)).toEqual({ head: { startLine: one.startLine, fields: one.fields.flat() }, readBytes: text.length, isNone: false });
    }));
  });

  it('is followed by the next one', () => {
    const reader = new HeadReader();
    const first = reader.push(Buffer.from('A\r\nb: c\r\n\r\nD\r\n'));
    if (typeof first === 'string') throw new Error(first);
    expect([first.head.startLine, first.behind.toString()]).toEqual(['A', 'D\r\n']);
    expect(reader.push(first.behind)).toBe('part');
    expect(reader.push(Buffer.from('\r\n'))).toMatchObject({ head: { startLine: 'D', fields: [] } });
  });

  it.each([
    ['a folded line', 'a: b\r\n c'],
    ['space before the colon', 'a : b'],
    ['no colon', 'a'],
    ['no name', ': b'],
    ['a line feed alone', 'a: b\nc: d'],
    ['a carriage return alone', 'a: b\rc'],
    ['a zero', 'a: \0'],
  ])('is none with %s in it', (_, lines) => {
    expect(read(Buffer.from(`X\r\n${lines}\r\n\r\n`), [5])).toMatchObject({ head: null, isNone: true });
    expect(fieldsOf(lines.split('\r\n'))).toBeNull();
  });

  it('is none where it does not end', () => {
    expect(read(Buffer.alloc(20_000, 'x'), [1_000])).toMatchObject({ isNone: true, readBytes: 17_000 });
  });
});
