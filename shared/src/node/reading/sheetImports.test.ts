import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sheetImports } from './sheetImports.ts';

const imports = (css: string): string[] => sheetImports(css, 'http://a.test/css/s.css').map((url) => url.replace('http://a.test/css/', ''));

describe('imports', () => {
  it.each([
    ['@import "a.css";', ['a.css']],
    ['@import url(a.css);', ['a.css']],
    ['@import src("a.css");', ['a.css']],
    ['@charset "x"; @layer a, b; @IMPORT url( "a.css" ) ;', ['a.css']],
    ['<!-- @import /* x */ "a.css" --> screen;', ['a.css']],
    ['@import "a.css" all;@import "b.css" only screen;', ['a.css', 'b.css']],
    ['@import "a.css" layer;', ['a.css']],
    ['@import url("a.css") layer(x.y) screen;', ['a.css']],
    ['@import "a.css" print;', []],
    ['@import "a.css" (width > 1px);', []],
    ['@import "a.css" supports(display: grid);', []],
    ['@import "a.css" layer(x) supports(display: grid);', []],
    ['@import "a.css" supports(;) screen;', []],
    ['.a{} @import "a.css";', []],
    ['@layer x{} @import "a.css";', []],
    ['@media screen { @import "a.css"; }', []],
    ['@import "a.css"; @layer x; @import "b.css";', ['a.css']],
    ['@namespace x; @import "a.css";', []],
    ['@import "data:text/css,x";', []],
    ['@import "http://u:p@a.test/";', []],
    ['@import "";', []],
    ['@import "a.css"', []],
    ['@import;', []],
    ['@import url(a.css;', []],
    ['@import url("a.css";', []],
    ['@import "a\nb.css; @import "c.css";', ['c.css']],
    ['@import "a\nb.css"; @import "c.css";', []],
    ['@import "a\n; @import "c.css";', ['c.css']],
    ['/* @import "a.css"; */@import "b.css";', ['b.css']],
  ])('%s', (css, expected) => expect(imports(css)).toEqual(expected));
});

const BITS = ['{', '}', '(', ')', ';', '"', "'", '\\', '\n', '/*', '*/', '<!--', '-->', 'url(', '@import ', '@import "a";', '@layer ', 'a', ' ', ',', '{/*'];

describe('whatever is written', () => {
  it('each character is read once at most', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(...BITS), { maxLength: 12 }), fc.integer({ min: 1, max: 500 }), (bits, times) => {
      const css = bits.join('').repeat(times);
      let read = 0;
      sheetImports(css, 'http://a.test/', (chars) => (read = chars));
      expect(read).toBeLessThanOrEqual(css.length);
    }));
  });

  it('nothing behind the first rule is read', () => {
    let read = 0;
    sheetImports(`@import "a";a{${'{/*'.repeat(50_000)}`, 'http://a.test/', (chars) => (read = chars));
    expect(read).toBeLessThan(20);
  });

  it('what is cut anywhere names a beginning of what the whole does', () => {
    const css = '@charset "x"; @import "a.css"; @import url(b.css) screen; @layer x; @import "c.css" print; @import "d.css";';
    fc.assert(fc.property(fc.nat(css.length), (length) => {
      const found = imports(css.slice(0, length));
      expect(found).toEqual(imports(css).slice(0, found.length));
    }));
  });
});
