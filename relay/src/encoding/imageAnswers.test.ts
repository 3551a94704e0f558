import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { imageTypesFor, isImageAnswer, variantFields } from './imageAnswers.ts';

const IMAGE = ['accept', 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'sec-fetch-dest', 'image', 'sec-fetch-mode', 'no-cors'];
const ANSWER = ['content-type', 'image/png', 'content-length', '5000'];
const BOTH = ['image/avif', 'image/webp'];

describe('imageTypesFor', () => {
  it.each([
    ['an element that shows it', IMAGE, BOTH],
    ['a browser without AVIF', ['accept', 'image/webp,*/*', ...IMAGE.slice(2)], ['image/webp']],
    ['a browser that refuses AVIF', ['accept', 'image/avif;q=0, image/webp;q=0.5', ...IMAGE.slice(2)], ['image/webp']],
    ['a browser that names neither', ['accept', 'image/*,*/*', ...IMAGE.slice(2)], []],
    ['fetch()', ['accept', BOTH.join(), 'sec-fetch-dest', 'empty', 'sec-fetch-mode', 'cors'], []],
    ['an element whose pixels may be read', [...IMAGE.slice(0, 5), 'cors'], []],
    ['a page that is a picture', ['accept', BOTH.join(), 'sec-fetch-dest', 'document', 'sec-fetch-mode', 'navigate'], []],
    ['what says nothing of itself', IMAGE.slice(0, 2), []],
    ['a part of it', [...IMAGE, 'range', 'bytes=0-9'], []],
    ['a reload past the cache', [...IMAGE, 'cache-control', 'no-cache'], []],
    ['who wants it as it is', [...IMAGE, 'cache-control', 'max-age=0, no-transform'], []],
    ['a plain reload', [...IMAGE, 'cache-control', 'max-age=0'], BOTH],
  ])('%s', (_, request, types) => {
    expect([imageTypesFor('GET', 'https://a.test', request), imageTypesFor('HEAD', 'https://a.test', request)]).toEqual([types, []]);
  });
});

describe('imageTypesFor a server in clear, to which browsers do not say what takes an answer', () => {
  it.each([
    ['an element that shows it', IMAGE.slice(0, 2), BOTH],
    ['an element of Firefox', ['accept', 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5'], BOTH],
    ['an element whose pixels may be read', [...IMAGE.slice(0, 2), 'origin', 'http://other.test'], []],
    ['fetch()', ['accept', '*/*'], []],
    ['a page that is a picture', ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'], []],
    ['what says nothing of itself', [], []],
    ['a browser that says it all the same, of fetch()', ['accept', BOTH.join(), 'sec-fetch-dest', 'empty', 'sec-fetch-mode', 'cors'], []],
  ])('%s', (_, request, types) => {
    expect(imageTypesFor('GET', 'http://a.test', request)).toEqual(types);
  });
});

describe('isImageAnswer', () => {
  it.each([
    ['a picture', 200, ANSWER, true],
    ['one of unknown length', 200, ['content-type', 'image/jpeg; charset=x'], true],
    ['a part', 206, ANSWER, false],
    ['another status', 404, ANSWER, false],
    ['one that may not be changed', 200, [...ANSWER, 'cache-control', 'public, No-Transform'], false],
    ['one in a coding', 200, [...ANSWER, 'content-encoding', 'gzip'], false],
    ['a large one', 200, ['content-type', 'image/png', 'content-length', '5000000'], false],
    ['a tiny one', 200, ['content-type', 'image/png', 'content-length', '43'], false],
    ['another type', 200, ['content-type', 'image/svg+xml'], false],
  ])('%s', (_, status, answer, expected) => {
    expect(isImageAnswer(status, answer)).toBe(expected);
  });
});

it('a variant says nothing of the bytes that it stands for', () => {
  const answer = [...ANSWER, 'ETag', '"a"', 'Accept-Ranges', 'bytes', 'Vary', 'Origin', 'Content-Digest', 'sha-256=:x:', 'Unencoded-Digest', 'sha-256=:x:', 'Cache-Control', 'max-age=60', 'Last-Modified', 'then'];
  expect(variantFields(answer, { type: 'image/webp', body: Buffer.alloc(70) })).toEqual([
    'Cache-Control', 'max-age=60', 'Last-Modified', 'then', 'content-type', 'image/webp', 'content-length', '70', 'accept-ranges', 'none', 'vary', 'Origin, accept, sec-fetch-dest, sec-fetch-mode', 'etag', 'W/"a.firstscreen-s-webp"',
  ]);
});

it('a variant without a tag has no ranges: a browser that has a part of it would ask for the rest by the date, and have that of the picture itself', () => {
  const fields = variantFields([...ANSWER, 'Last-Modified', 'then'], { type: 'image/avif', body: Buffer.alloc(70) });
  expect([valueOf(fields, 'last-modified'), valueOf(fields, 'etag'), valueOf(fields, 'accept-ranges')]).toEqual(['then', null, 'none']);
});
