import { describe, expect, it } from 'vitest';
import { parseOptions } from './options.ts';

const parse = (...argv: string[]): ReturnType<typeof parseOptions> => parseOptions(argv, 'out/measured.json');

describe('the options of the check', () => {
  it('are those of the form that users install, unless told otherwise', () => {
    expect(parse('--pages', 'a.warc')).toEqual({ pages: ['a.warc'], browser: 'chromium', profile: '3g-fast', protocol: 'recorded', pairs: 8, seed: 1, results: null, scheme: 'all-again', out: 'out/measured.json' });
    expect(parse('a.warc', '--browser', 'firefox')).toMatchObject({ protocol: 'http1', scheme: 'firefox-pf-again' });
  });

  it('are not needed to ask for help', () => expect(parse('--help')).toBeNull());

  it.each([
    ['no page', []],
    ['a browser that is none', ['a.warc', '--browser', 'lynx']],
    ['more pairs than the page takes', ['a.warc', '--pairs', '51']],
    ['an option that is none', ['a.warc', '--pair', '5']],
  ])('are refused with a code: %s', (_, argv) => {
    expect(() => parse(...argv)).toThrow(expect.objectContaining({ code: 'E_OPTION' }) as Error);
  });
});
