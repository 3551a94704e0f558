import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CharsetDecoder, type TextKind } from './charsets.ts';

interface Decoded {
  readonly text: string;
  readonly encoding: string | null;
}
function decode(bytes: Buffer, contentType: string | null = null, kind: TextKind = 'html', lengths: readonly number[] = []): Decoded {
  const decoder = new CharsetDecoder(kind, contentType);
  let [text, from] = ['', 0];
  for (const length of lengths) text += decoder.write(bytes.subarray(from, (from += length)));
  text += decoder.write(bytes.subarray(from));
  text += decoder.end();
  return { text, encoding: decoder.encoding };
}
const encodingOf = (html: string, contentType: string | null = null, kind: TextKind = 'html'): string | null => decode(Buffer.from(html, 'latin1'), contentType, kind).encoding;

describe('CharsetDecoder', () => {
  it.each([
    ['nothing', '<p>', null, 'windows-1252'],
    ['Content-Type', '<p>', 'text/html; charset=UTF-8', 'utf-8'],
    ['quotes', '<p>', 'text/html;charset="iso-8859-2"', 'iso-8859-2'],
    ['Content-Type before meta', '<meta charset=utf-8>', 'text/html; charset=shift_jis', 'shift_jis'],
    ['an unknown one', '<meta charset=utf-8>', 'text/html; charset=nonsense', 'utf-8'],
    ['a mark before all', '\xef\xbb\xbf<p>', 'text/html; charset=shift_jis', 'utf-8'],
    ['UTF-16', '\xff\xfea\0', null, 'utf-16le'],
    ['meta', '<META  CHARSET = "euc-kr" >', null, 'euc-kr'],
    ['meta of old', '<meta http-equiv="Content-Type" content="text/html; charset=gbk">', null, 'gbk'],
    ['meta that can not be', '<meta charset=utf-16>', null, 'utf-8'],
    ['meta in a comment', '<!-- <meta charset=gbk> --><meta charset=utf-8>', null, 'utf-8'],
    ['meta that is late', `${' '.repeat(1_024)}<meta charset=gbk>`, null, 'windows-1252'],
    ['Latin 1', '<meta charset=iso-8859-1>', null, 'windows-1252'],
  ])('%s', (_, html, contentType, expected) => expect(encodingOf(html, contentType)).toBe(expected));

  it.each([
    ['@charset', '@charset "utf-8";', 'utf-8'],
    ['@charset in another form', "@charset 'utf-8';", 'windows-1252'],
    ['nothing', 'a{}', 'windows-1252'],
  ])('a style sheet: %s', (_, css, expected) => expect(encodingOf(css, 'text/css', 'css')).toBe(expected));

  it('reads windows-1252 as browsers do', () => expect(decode(Buffer.from([0x80, 0xe4])).text).toBe('€ä'));

  it('reads the same however bytes are cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), fc.array(fc.nat(300), { maxLength: 10 }), fc.constantFrom(null, 'text/html; charset=utf-8'), (text, lengths, contentType) => {
        const bytes = Buffer.from(`<meta charset=utf-8>${text}`);
        const cut = decode(bytes, contentType, 'html', lengths);
        expect(cut).toEqual({ text: bytes.toString(), encoding: 'utf-8' });
      }),
    );
  });
});
