import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEEDED_KINDS, NOTHING_EXPECTED, UNSEEN_DOCUMENT, type SeenObject } from './neededObject.ts';
import { NO_VISITS, afterVisit, expectedOf, type VisitRecord } from './visitRecord.ts';

const REQUEST = { referrer: null, site: null, isCors: false, hasCookies: false };
const style = (name: string): SeenObject => ({ url: `https://a.test/${name}.css`, kind: 'style', bytes: 100, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } });
const image = (name: string): SeenObject => ({ url: `https://a.test/${name}.jpg`, kind: 'image', bytes: 100, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } });
const after = (...visits: SeenObject[][]): VisitRecord => visits.reduce((record, needed) => afterVisit(record, { objects: needed, origins: [], document: UNSEEN_DOCUMENT, addresses: [] }, 0), NO_VISITS);
const urls = (record: VisitRecord): string[] => expectedOf(record).objects.map(({ url }) => url.replace(/^.*\//, ''));

describe('what a next visit is expected to need', () => {
  it('nothing before the first', () => expect(expectedOf(NO_VISITS)).toEqual(NOTHING_EXPECTED));
  it('after one visit, what that needed', () => expect(urls(after([style('a'), image('b')]))).toEqual(['a.css', 'b.jpg']));
  it('still what was missing once, and no more what was missing twice', () => {
    expect(urls(after([style('a'), style('b')], [style('a')]))).toEqual(['a.css', 'b.css']);
    expect(urls(after([style('a'), style('b')], [style('a')], [style('a')]))).toEqual(['a.css']);
  });
  it('no more what was missing twice, however often it was needed before', () => {
    const ten = Array.from({ length: 10 }, () => [style('a'), style('b')]);
    expect(urls(after(...ten, [style('a')]))).toEqual(['a.css', 'b.css']);
    expect(urls(after(...ten, [style('a')], [style('a')]))).toEqual(['a.css']);
  });
  it('what is new, as long as expectations have come true', () => {
    expect(urls(after([style('a')], [style('a'), style('b')]))).toEqual(['a.css', 'b.css']);
  });
  it('of pictures that are others each time, only those that stay', () => {
    const record = after([image('logo'), image('1'), image('2')], [image('logo'), image('3'), image('4')], [image('logo'), image('5'), image('6')], [image('logo'), image('7'), image('8')]);
    expect(urls(record)).toEqual(['logo.jpg']);
  });
  it('with the size that it had last', () => {
    expect(expectedOf(after([style('a')], [{ ...style('a'), bytes: 200 }])).objects).toEqual([{ ...style('a'), bytes: 200, isCertain: true }]);
  });

  it('as its document names it at the last visit that needed it', () => {
    const [brought, named] = [style('a'), { ...style('a'), isNamed: true }];
    const isNamed = (...visits: SeenObject[][]): boolean[] => expectedOf(after(...visits)).objects.map((object) => object.isNamed);
    expect([isNamed([named], []), isNamed([brought], [named]), isNamed([named], [brought])]).toEqual([[true], [true], [false]]);
  });

  it('of a document that has not come, what was known of it', () => {
    const document = { bytes: 7, setsCookies: true, referrerPolicy: null };
    const record = afterVisit(NO_VISITS, { objects: [], origins: [], document, addresses: [] }, 0);
    expect(afterVisit(record, { objects: [], origins: [], document: null, addresses: [] }, 1).document).toEqual(document);
  });

  it('is always something that was needed, each once, and bounded', () => {
    const object = fc.record({ url: fc.nat(400).map((n) => `https://a.test/${n}`), kind: fc.constantFrom(...NEEDED_KINDS), bytes: fc.nat(1000), cached: fc.constant(null), isNamed: fc.boolean(), request: fc.constant(REQUEST) });
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(object, { selector: ({ url }) => url, maxLength: 300 }), { maxLength: 6 }), (visits) => {
        const record = after(...visits);
        const { objects: expected } = expectedOf(record);
        const seen = new Set(visits.flat().map(({ url }) => url));
        expect(new Set(expected.map(({ url }) => url)).size).toBe(expected.length);
        for (const { url } of expected) expect(seen.has(url)).toBe(true);
        expect(record.objects.length).toBeLessThanOrEqual(200);
      }),
    );
  });
});
