import { describe, expect, it } from 'vitest';
import { contentRangeOf, isSameRepresentation, partOf, strongValidatorOf } from './partialContent.ts';

const DATE = 'Thu, 01 Jan 2026 00:10:00 GMT';

describe('partial content', () => {
  it.each([
    ['bytes 0-9/10', { first: 0, end: 10, ofBytes: 10 }],
    ['Bytes 3-3/10', { first: 3, end: 4, ofBytes: 10 }],
    ['bytes 3-2/10', null],
    ['bytes 0-10/10', null],
    ['bytes 0-9/*', null],
    ['bytes */10', null],
    ['items 0-9/10', null],
  ])('is of a range: %s', (value, range) => expect(contentRangeOf(['content-range', value])).toEqual(range));

  it.each<[string, readonly string[], string | null]>([
    ['a strong tag', ['etag', '"a"'], '"a"'],
    ['no weak one, whatever else there is', ['etag', 'W/"a"', 'last-modified', 'Thu, 01 Jan 2025 00:00:00 GMT', 'date', DATE], null],
    ['a date that is a minute old', ['last-modified', 'Thu, 01 Jan 2026 00:09:00 GMT', 'date', DATE], 'Thu, 01 Jan 2026 00:09:00 GMT'],
    ['no newer one', ['last-modified', 'Thu, 01 Jan 2026 00:09:01 GMT', 'date', DATE], null],
    ['none whose answer has no date', ['last-modified', 'Thu, 01 Jan 2025 00:00:00 GMT'], null],
    ['nothing', [], null],
  ])('is asked for by %s', (_, fields, validator) => expect(strongValidatorOf(fields)).toBe(validator));

  it('is asked for as the whole was, and in no coding', () => {
    const fields = ['Host', 'a', 'Accept-Encoding', 'gzip', 'If-None-Match', '"b"', 'Range', 'bytes=0-', 'Cookie', 'c=1', 'Authorization', 'x'];
    expect(partOf(fields, '1-2,4-5', '"a"')).toEqual(['Host', 'a', 'Cookie', 'c=1', 'Authorization', 'x', 'accept-encoding', 'identity', 'range', 'bytes=1-2,4-5', 'if-range', '"a"']);
  });

  it.each<[boolean, readonly string[]]>([
    [true, ['etag', '"a"']],
    [true, ['etag', '"a"', 'last-modified', DATE]],
    [false, []],
    [false, ['last-modified', DATE]],
    [false, ['etag', '"b"']],
    [false, ['etag', '"a"', 'etag', '"b"']],
    [false, ['etag', '"a"', 'last-modified', 'x']],
    [false, ['etag', '"a"', 'content-encoding', 'gzip']],
  ])('is of the same representation (%s) by %j', (isSame, fields) => {
    expect(isSameRepresentation(fields, ['ETag', '"a"', 'Last-Modified', DATE])).toBe(isSame);
  });

  it('is of the same representation without a tag where that has none', () => {
    const of = ['Last-Modified', DATE];
    expect([[], of, ['etag', '"a"'], ['last-modified', 'x']].map((fields) => isSameRepresentation(fields, of))).toEqual([true, true, false, false]);
  });
});
