import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NEEDED_KINDS, UNSEEN_DOCUMENT, type ExpectedObject, type ToldVisit } from '../../../shared/src/memory/neededObject.ts';
import { asOfPage, inTurns, kindOf, seenRequestOf, type Turns } from './rememberedRequests.ts';

const object = (url: string, bytes: number): ExpectedObject => ({ url, kind: 'image', bytes, isCertain: true, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } });

const VISIT: ToldVisit = { url: 'https://a.test/news?id=1', asked: 'https://a.test/', origins: [], objects: [{ url: 'https://a.test/s.css', kind: 'style' }, { url: 'https://b.test/s.css', kind: 'style' }, { url: 'https://c.test/s.png', kind: 'image' }] };

it.each([
  ['a font', ['Origin', 'https://a.test', 'Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Dest', 'font', 'Sec-Fetch-Site', 'cross-site', 'Referer', 'https://c.test/s.css'], { referrer: 'https://c.test/s.css', site: 'cross-site', isCors: true, hasCookies: false }],
  ['an image with cookies', ['Sec-Fetch-Dest', 'image', 'Sec-Fetch-Site', 'same-site', 'Referer', 'https://a.test/', 'Cookie', 'secret=1'], { referrer: 'https://a.test/', site: 'same-site', isCors: false, hasCookies: true }],
  ['what is asked for in clear', ['Referer', 'http://a.test/'], { referrer: 'http://a.test/', site: null, isCors: false, hasCookies: false }],
  ['a word that is none of the specification', ['Sec-Fetch-Site', 'next door'], { referrer: '', site: null, isCors: false, hasCookies: false }],
])('of %s is remembered how it was asked for, and no cookie', (_, headers, expected) => expect(seenRequestOf(headers)).toEqual(expected));

it.each([
  ['a module script', ['Accept', '*/*', 'Sec-Fetch-Dest', 'script'], 'script'],
  ['a style sheet that is a script, too', ['Accept', 'text/css,*/*;q=0.1', 'Sec-Fetch-Dest', 'style'], 'style'],
  ['a style sheet in clear', ['Accept', 'text/css,*/*;q=0.1'], 'style'],
  ['an image in clear', ['Accept', 'image/avif,image/webp,*/*;q=0.8'], 'image'],
  ['a font of Firefox in clear', ['Accept', 'application/font-woff2;q=1.0,*/*;q=0.8'], null],
  ['a script in clear', ['Accept', '*/*'], null],
  ['what a script asks for', ['Accept', 'image/png', 'Sec-Fetch-Dest', 'empty'], null],
])('%s is remembered as what it was asked for', (_, headers, kind) => expect(kindOf(headers)).toBe(kind));

/** No server is asked by a relay. */
const DIRECT = (): boolean => false;

it('beside a document goes what its round trip has room for, then layout files for one more, each thing once, in order', () => {
  const all = fc.array(fc.record({ bytes: fc.nat(40_000), kind: fc.constantFrom(...NEEDED_KINDS) }), { maxLength: 30 });
  fc.assert(
    fc.property(all, fc.nat(60_000), fc.integer({ min: 1, max: 60_000 }), (shapes, bytes, room) => {
      const objects = shapes.map((shape, n) => ({ ...object(`https://b.test/${n}`, shape.bytes), kind: shape.kind }));
      const { beside, begun, ended } = inTurns({ objects, origins: [], document: { ...UNSEEN_DOCUMENT, bytes, setsCookies: false } }, 'https://a.test', room, DIRECT, () => false);
      expect(beside.reduce((sum, each) => sum + each.bytes, 0)).toBeLessThanOrEqual(Math.max(0, room - bytes));
      expect(begun.slice(0, -1).reduce((sum, each) => sum + each.bytes, 0)).toBeLessThan(room);
      expect(begun.some(({ kind }) => kind === 'image')).toBe(false);
      expect([...beside, ...begun, ...ended].sort((a, b) => objects.indexOf(a) - objects.indexOf(b))).toEqual(objects);
    }),
  );
});

it.each([
  ['http', 2],
  ['https', 8],
])('over %s %d images go beside a document of a server that is still to be asked for three layout files', (scheme, expected) => {
  const named = (name: string, kind: ExpectedObject['kind'], bytes: number): ExpectedObject => ({ ...object(`${scheme}://a.test/${name}`, bytes), kind });
  const images = Array.from({ length: 8 }, (_, n) => named(`${n}.png`, 'image', 100));
  const layout = [named('a.css', 'style', 20_000), named('a.js', 'script', 20_000), named('b.js', 'script', 20_000)];
  const turns = inTurns({ objects: [...images, ...layout], origins: [], document: { ...UNSEEN_DOCUMENT, bytes: 20_000, setsCookies: false } }, `${scheme}://a.test`, 30_000, DIRECT, () => false);
  expect(turns.beside).toEqual(images.slice(0, expected));
  expect(turns.begun).toEqual(layout.slice(0, 2));
});

it('nothing of the own server of a document that sets cookies goes before they are known', () => {
  const [own, other] = [object('https://a.test/1', 100), object('https://b.test/1', 100)];
  expect(inTurns({ objects: [own, other], origins: [], document: { ...UNSEEN_DOCUMENT, bytes: 0, setsCookies: true } }, 'https://a.test', 30_000, DIRECT, () => false)).toEqual({ beside: [other], begun: [], ended: [own] });
});

it('of a relay all goes beside the document but what waits for its cookies, and of that what it names is left to be pushed', () => {
  const [own, named, other, direct] = [object('https://a.test/1', 90_000), { ...object('https://a.test/2', 100), isNamed: true }, object('http://b.test/1', 90_000), object('https://c.test/1', 90_000)];
  const turns = (setsCookies: boolean): Turns => inTurns({ objects: [own, named, other, direct], origins: [], document: { ...UNSEEN_DOCUMENT, bytes: 50_000, setsCookies } }, 'https://a.test', 30_000, (server) => server !== 'https://c.test', () => false);
  expect(turns(false)).toEqual({ beside: [own, named, other], begun: [], ended: [direct] });
  expect(turns(true)).toEqual({ beside: [other], begun: [own], ended: [named, direct] });
});

it('what the browser has takes no room, and is looked at again when the document has come', () => {
  const [cached, other] = [object('https://a.test/1', 20_000), object('https://a.test/2', 20_000)];
  expect(inTurns({ objects: [cached, other], origins: [], document: { ...UNSEEN_DOCUMENT, bytes: 0, setsCookies: false } }, 'https://a.test', 30_000, DIRECT, (each) => each === cached)).toEqual({ beside: [other], begun: [], ended: [cached] });
});

it.each([
  ['the page', 'https://a.test/news?id=1', null],
  ['the page, which has taken its query off', 'https://a.test/news', null],
  ['its origin', 'https://a.test/', null],
  ['a style sheet', 'https://a.test/s.css', 'https://a.test/s.css'],
  ['a style sheet of another server', 'https://b.test/', 'https://b.test/'],
  ['nobody', '', ''],
])('an object is remembered as asked for by %s', (_, referrer, expected) =>
  expect(asOfPage({ referrer, site: null, isCors: false, hasCookies: false }, VISIT)?.referrer).toBe(expected),
);

it.each(['https://a.test/another/page', 'https://private.test/', 'https://c.test/s.css'])('but not as asked for by another page (%s)', (referrer) =>
  expect(asOfPage({ referrer, site: null, isCors: false, hasCookies: false }, VISIT)).toBeNull(),
);
