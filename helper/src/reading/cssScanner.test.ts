import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanStyleSheet, type SheetScan } from './cssScanner.ts';

const scan = (css: string): SheetScan => scanStyleSheet(css, 'http://a.test/css/s.css');
const backgrounds = (css: string): string[] => scan(css).backgrounds.flatMap(({ selector, urls }) => urls.map((url) => [selector, url.replace('http://a.test/css/', '')].join(' | ')));

describe('imports', () => {
  it.each([
    ['@import "a.css";', ['a.css']],
    ['@import url(a.css);', ['a.css']],
    ['@charset "x"; @layer a, b; @IMPORT url( "a.css" ) ;', ['a.css']],
    ['<!-- @import /* x */ "a.css" --> screen;', ['a.css']],
    ['@import "a.css" all;', ['a.css']],
    ['@import "a.css" layer;', ['a.css']],
    ['@import url("a.css") layer(x.y) screen;', ['a.css']],
    ['@import "a.css" print;', []],
    ['@import "a.css" (width > 1px);', []],
    ['@import "a.css" supports(display: grid);', []],
    ['@import "a.css" layer(x) supports(display: grid);', []],
    ['.a{} @import "a.css";', []],
    ['@media screen { @import "a.css"; }', []],
    ['@namespace x; @import "a.css";', []],
    ['@import "data:text/css,x";', []],
    ['@import "";', []],
    ['@import "a.css"', []],
    ['@import;', []],
    ['@import url(a.css;', []],
    ['@import "a\nb.css; @import "c.css";', ['c.css']],
  ])('%s', (css, expected) => {
    expect(scan(css).imports.map((url) => url.replace('http://a.test/css/', ''))).toEqual(expected);
  });
});

describe('backgrounds', () => {
  it.each([
    ['.a, .b > c { background: url(x.png) no-repeat }', ['.a, .b > c | x.png']],
    ['a{background-image:url("x.png"),url(\'y.png\')}', ['a | x.png', 'a | y.png']],
    ['a{BACKGROUND:URL( x.png )}', ['a | x.png']],
    ['a{background:url(x\\29.png)}', ['a | x).png']],
    ['a{background:url("x\\\ny.png")}', ['a | xy.png']],
    ['a{background:src("x.png")}', ['a | x.png']],
    ['a{background:url(data:image/png,x)}', []],
    ['a{background:url(#x) url() url("")}', []],
    ['a{background:url(b ad)}b{background:url(x)}', ['b | x']],
    ['a{background:image-set(url(x) 1x)}', []],
    ['a{background:url(x) var(--y)}', []],
    ['a{background:url(x);background:none}', []],
    ['a{background:url(x);background-image:url(y)}', ['a | y']],
    ['a{background:url(x) ! important;background-image:url(y)}', ['a | x']],
    ['a{background:url(x);background-image:-webkit-image-set(url(y) 2x)}', []],
    ['a{*background:url(x);_background:url(y);--background:url(z)}', []],
    ['a{color:red;b{background:url(x)}background:url(y)}', [':is(a) b | x', 'a | y']],
    ['a,b{&:hover,> c{background:url(x)}}', [':is(a,b):hover, :is(a,b) > c | x']],
    ['a{@media (x){background:url(x)}}', []],
    ['@media screen{a{background:url(x)}}', ['a | x']],
    ['@media only screen, print{a{background:url(x)}}', ['a | x']],
    ['@media print{a{background:url(x)}}', []],
    ['@media (min-width:1px){@supports (d:e){@layer f{a{background:url(x)}}}}', []],
    ['@supports (d:e){a{background:url(x)}}b{background:url(y)}', ['b | y']],
    ['@container c (width>1px){a{background:url(x)}} @scope (a){b{background:url(x)}} @starting-style{a{background:url(x)}}', []],
    ['@layer x{a{background:url(x)}}', ['a | x']],
    ['@keyframes k{from{background:url(x)}}@page{background:url(y)}', []],
    ['a{--x:{background:url(x)};background:url(y)}', ['a | y']],
    ['}a{background:url(x)}', ['}a | x']],
    ['a{background:url(x', []],
    ['/* a{background:url(x)} */ b{/**/background/**/:/**/url(y)/**/}', ['b | y']],
    ['a{background:fn({;}) url(x);color:red}', ['a | x']],
  ])('%s', (css, expected) => expect(backgrounds(css)).toEqual(expected));
});

describe('junk', () => {
  const bits = ['{', '}', '(', ')', '[', ']', ';', ':', ',', '"', '\'', '\\', '\n', '/*', '*/', '<!--', '-->', 'url(', 'src(', '@import ', '@media ', '@font-face', 'a', '&', '--x', '!important', 'background', 'U+', '\0', '😀', '\ud83d', ' '];

  it('never throws', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.constantFrom(...bits), fc.string()), { maxLength: 60 }), (parts) => void scan(parts.join(''))), { numRuns: 3_000 });
  });

  it('a good sheet behind any junk that is closed is read', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom('a{}', 'b{c:d}', '@x y;', '@media z{e{}}', ';', '/* { */', 'f{g:url(}h)}', '"{"{}', 'i{j:"}"}', 'a[b="{"]{}'), { maxLength: 20 }), (parts) => {
      expect(backgrounds(`${parts.join('')}.last{background:url(x)}`).at(-1)).toMatch(/\.last \| x$/);
    }));
  });

  it.each(['{', '}', '(', 'a{', '@media x{', 'url(', '/*', '"\n', '\\', '&{', ',', '@import "a";', 'a{background:url(x)}', '&,&{', '@font-face{font-family:x;src:url(y)}', '!'])('two million characters of %s are read to their end', (bit) => {
    expect(scan(bit.repeat(2_000_000 / bit.length)).backgrounds.length).toBeLessThanOrEqual(5_000);
  });
});
