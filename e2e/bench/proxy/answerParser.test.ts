import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AnswerParser } from './answerParser.ts';

const answer = (body: string): Buffer => Buffer.from(`HTTP/1.1 200 OK\r\nServer: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`);

it('counts the body of one answer after the other, however the bytes come', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme-ascii' }), { minLength: 1, maxLength: 4 }), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (bodies, sizes) => {
      const parser = new AnswerParser();
      let turn = 0;
      for (const body of bodies) {
        const bytes = answer(body);
        let got = 0;
        for (let at = 0; at < bytes.length; ) {
          const piece = bytes.subarray(at, at + (sizes[turn++ % sizes.length] ?? 1));
          at += piece.length;
          const { bodyBytes, isWhole } = parser.push(piece);
          got += bodyBytes;
          expect(isWhole).toBe(at === bytes.length);
        }
        expect(got).toBe(body.length);
      }
    }),
  );
});

it.each([
  ['another status', 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'],
  ['no length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['more than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab'],
])('refuses an answer with %s', (_, text) => {
  expect(() => new AnswerParser().push(Buffer.from(text))).toThrow(Error);
});
