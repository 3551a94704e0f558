import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanStyleSheet } from './cssScanner.ts';
import { withoutPlainBlocks } from './plainBlocks.ts';
import { StyleImages } from './styleImages.ts';

const SHEET = { url: 'http://a.test/s.css', referrerPolicy: null, index: 1 };
/** What made readers slow, or may: everything that opens something and does not close it. */
const BITS = ['{', '}', '{/*', '/*', '*/', '/', '"', "'", '\\', '\n', 'url(', 'url("', 'src(', ')', ';', 'a', ' ', '&', ','];

describe('the blocks that name nothing', () => {
  it('are found by passing each character once', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...BITS), { maxLength: 12 }), fc.integer({ min: 1, max: 500 }), (bits, times) => {
      const css = bits.join('').repeat(times);
      let looked = 0;
      withoutPlainBlocks(css, (chars) => (looked = chars));
      expect(looked).toBeLessThanOrEqual(css.length + 1);
    }));
  });

  it.each(['{/*', '{"', '{/', "{'", '{\\', '{a/*b*/'])('128 kB of %s are no more than 128 kB', (bit) => {
    const css = bit.repeat(128 * 1024 / bit.length);
    let looked = 0;
    withoutPlainBlocks(css, (chars) => (looked = chars));
    expect(looked).toBeLessThanOrEqual(css.length + 1);
  });

  it.each([
    ['a{b:c}d{e:url(f)}', 'a{}d{e:url(f)}'],
    ['a{b{c:d}e:f}', 'a{b{}e:f}'],
    ['a{b:"}"}', 'a{}'],
    ['a{b:"\n}', 'a{}'],
    ['a{b:\\}}', 'a{}'],
    ['a{/* url( } */b:c}', 'a{}'],
    ['a{b:url( x{}y )}', 'a{b:url( x{}y )}'],
    ['a{b:url("}")}c{}', 'a{b:url("}")}c{}'],
    ['a{b:URL(x)}', 'a{b:URL(x)}'],
    ['a{b:src("x")}', 'a{b:src("x")}'],
    ['a{b:curl(x)}', 'a{b:curl(x)}'],
    ['a{b:c', 'a{b:c'],
    ['}a{b:c}', '}a{}'],
  ])('%s is read as %s', (css, expected) => expect(withoutPlainBlocks(css)).toBe(expected));

  it('change nothing of what is found', () => {
    const rule = fc.constantFrom('a{b:c}', 'a{background:url(x)}', '/* } */', '"{"{}', '@media x{d{e:f}}', 'g{h{background:url("y}")}i:j}', 'k{l:"}";background:url(z)}');
    fc.assert(fc.property(fc.array(rule, { maxLength: 12 }), (rules) => {
      // an empty comment in each block keeps it, as it looks like a file
      const kept = rules.join('').replaceAll(/\{(?=[bdeahi]:)/g, '{x:url(q);');
      expect(scanStyleSheet(rules.join(''), SHEET.url).backgrounds).toEqual(scanStyleSheet(kept, SHEET.url).backgrounds);
    }));
  });
});

describe('the images of styles', () => {
  const hostile = (n: number): { readonly css: string; readonly classes: readonly string[] } => ({
    css: Array.from({ length: n }, (_, i) => `.a.b${i}.none{background:url(${i})}`).join(''),
    classes: Array.from({ length: n }, (_, i) => `a b${i} none${i}`),
  });

  it('cost no more than a bound, whatever rules and elements say', () => {
    const { css, classes } = hostile(3_000);
    const styles = new StyleImages();
    for (const each of classes) styles.element({ name: 'p', attributes: new Map([['class', each]]) });
    styles.sheet(scanStyleSheet(css, SHEET.url), SHEET);
    for (const each of classes) styles.element({ name: 'i', attributes: new Map([['class', `${each} none`]]) });
    expect(styles.comparisons).toBeLessThanOrEqual(500_100);
  });

  it('are not looked for again when they are taken', () => {
    const { css, classes } = hostile(500);
    const styles = new StyleImages();
    styles.sheet(scanStyleSheet(css, SHEET.url), SHEET);
    for (const each of classes) styles.element({ name: 'p', attributes: new Map([['class', each]]) });
    const before = styles.comparisons;
    for (let i = 0; i < 100; i += 1) styles.take();
    expect(styles.comparisons).toBe(before);
  });
});
