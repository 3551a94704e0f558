import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExpectedObject } from '../../../shared/src/memory/neededObject.ts';
import { seenRequestOf, parted } from './rememberedRequests.ts';

const object = (url: string, bytes: number): ExpectedObject => ({ url, kind: 'image', bytes, isCertain: true, request: { referrer: null, site: null, isCors: false, hasCookies: false } });

it.each([
  ['a font', ['Origin', 'https://a.test', 'Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Dest', 'font', 'Sec-Fetch-Site', 'cross-site', 'Referer', 'https://c.test/s.css'], { referrer: 'https://c.test/s.css', site: 'cross-site', isCors: true, hasCookies: false }],
  ['an image with cookies', ['Sec-Fetch-Dest', 'image', 'Sec-Fetch-Site', 'same-site', 'Referer', 'https://a.test/', 'Cookie', 'secret=1'], { referrer: null, site: 'same-site', isCors: false, hasCookies: true }],
  ['what is asked for in clear', ['Referer', 'http://a.test/'], { referrer: null, site: null, isCors: false, hasCookies: false }],
  ['a word that is none of the specification', ['Sec-Fetch-Site', 'next door'], { referrer: null, site: null, isCors: false, hasCookies: false }],
])('of %s is remembered how it was asked for, and no cookie', (_, headers, expected) => expect(seenRequestOf(headers)).toEqual(expected));

it('beside a document goes what its round trip has room for, each thing once, in order', () => {
  const sizes = fc.array(fc.nat(40_000), { maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.nat(60_000), fc.nat(60_000), (all, bytes, room) => {
      const objects = all.map((size, n) => object(`https://b.test/${n}`, size));
      const { beside, after } = parted({ objects, origins: [], document: { bytes, setsCookies: false } }, 'https://a.test', room);
      expect(beside.reduce((sum, each) => sum + each.bytes, 0)).toBeLessThanOrEqual(Math.max(0, room - bytes));
      expect([...beside, ...after].sort((a, b) => objects.indexOf(a) - objects.indexOf(b))).toEqual(objects);
    }),
  );
});

it('nothing of the own server of a document that sets cookies goes before they are known', () => {
  const [own, other] = [object('https://a.test/1', 100), object('https://b.test/1', 100)];
  expect(parted({ objects: [own, other], origins: [], document: { bytes: 0, setsCookies: true } }, 'https://a.test', 30_000)).toEqual({ beside: [other], after: [own] });
});
