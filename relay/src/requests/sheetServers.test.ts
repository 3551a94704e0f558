import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readSheetServers } from './sheetServers.ts';

const SHEET = 'https://a.test/css?family=x';
const CSS = ['content-type', 'text/css; charset=utf-8'];

function serversIn(css: string, cuts: readonly number[] = []): string[] {
  const found: string[] = [];
  const peek = readSheetServers(SHEET, 200, CSS, (origin) => found.push(origin));
  const bytes = Buffer.from(css);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [at, from] of places.slice(0, -1).entries()) peek?.write(bytes.subarray(from, places[at + 1]));
  peek?.end();
  return [...new Set(found)];
}

it.each([
  ['@font-face { src: url(https://fonts.test/s/x.woff2) format("woff2") }', ['https://fonts.test']],
  ['a { background: URL( "//img.test:8443/x.png" ) } b { background: url(\'http://b.test\') }', ['https://img.test:8443', 'http://b.test']],
  ['a { background: url(/x.png) } b { background: url(data:image/png;base64,//x) } c { background: url(https://a.test/y) }', []],
  ['a { content: "https://c.test/" } b { background: url(https://[::) }', []],
])('%s', (css, servers) => expect(serversIn(css)).toEqual(servers));

it('however the sheet comes in pieces', () => {
  const css = `${'x'.repeat(400)} url(https://b.test/1) url("//c.test/2")`;
  fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
    expect(serversIn(css, cuts)).toEqual(['https://b.test', 'https://c.test']);
  }));
});

it('in a coding, too', async () => {
  const found: string[] = [];
  const peek = readSheetServers(SHEET, 200, [...CSS, 'content-encoding', 'gzip'], (origin) => found.push(origin));
  peek?.write(gzipSync('url(https://b.test/1)'));
  peek?.end();
  await expect.poll(() => found).toEqual(['https://b.test']);
});

it.each([[404, CSS], [200, ['content-type', 'text/html']], [200, []]])('nothing else is read: %i %j', (status, fields) => {
  expect(readSheetServers(SHEET, status, fields, () => undefined)).toBeNull();
});
