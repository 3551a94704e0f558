import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readStyleUrls, type StyleUrl } from './styleUrls.ts';

const CSS = ['Content-Type', 'text/css'];

function read(css: string, cuts: readonly number[] = []): StyleUrl[] {
  const found: StyleUrl[] = [];
  const peek = readStyleUrls('https://a.test/css/s.css', 200, CSS, (named) => found.push(...named));
  const bytes = Buffer.from(css);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [at, from] of places.slice(0, -1).entries()) peek?.write(bytes.subarray(from, places[at + 1]));
  peek?.end();
  return found;
}

it.each<[string, [string, string][]]>([
  ['a { background: #fff url(../x.png) no-repeat; Mask-Image:url("m.svg#a") }', [['https://a.test/x.png', 'background'], ['https://a.test/css/m.svg', 'mask-image']]],
  ["a { background-image: URL( 'one.png' ), url(/two.png?a=b) }", [['https://a.test/css/one.png', 'background-image'], ['https://a.test/two.png?a=b', 'background-image']]],
  ['a { background: url(data:image/png;base64,AAAA) } b { background: url(b.png) }', [['https://a.test/css/b.png', 'background']]],
  ['a { background: url(javascript:1) } b { background: url("a\\62.png") } c { background: url(ä.png) } d { background: url(open.png', []],
])('%s', (css, named) => expect(read(css).map(({ url, property }) => [url, property])).toEqual(named));

it('however the sheet comes in pieces', () => {
  const css = `${'a{color:red}'.repeat(300)} b { background: url(1.png), url("//c.test/2.png") }`;
  fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
    expect(new Set(read(css, cuts).map(({ url, property }) => `${property} ${url}`))).toEqual(new Set(['background https://a.test/css/1.png', 'background https://c.test/2.png']));
  }));
});

it('what was read with its property is not read again without it, where that is cut off', () => {
  const found: StyleUrl[] = [];
  const peek = readStyleUrls('https://a.test/', 200, CSS, (named) => found.push(...named));
  const named = 'url(m.svg)';
  for (const keptChars of [2_048, 4_096]) peek?.write(Buffer.from(`b { mask: ${named}${' '.repeat(keptChars - named.length)}`));
  peek?.write(Buffer.from('}'));
  expect(found.map(({ property }) => property)).toEqual(['mask', 'mask']);
});

it('in time that grows with the sheet alone', () => {
  const piece = `${'a'.repeat(2_030)} url(x) `;
  expect(read(piece.repeat(500)).length).toBeGreaterThan(400);
  expect(read('url('.repeat(100_000) + ' '.repeat(400_000))).toEqual([]);
});

it('of a document what its elements name in their own style', () => {
  const found: StyleUrl[] = [];
  const peek = readStyleUrls('https://a.test/', 200, ['Content-Type', 'text/html'], (named) => found.push(...named));
  peek?.write(Buffer.from('<p style="background:url(x.png)"><style>a { MASK: url(m.svg) }</style>'));
  expect(found).toEqual([{ url: 'https://a.test/x.png', property: 'background' }, { url: 'https://a.test/m.svg', property: 'mask' }]);
});
