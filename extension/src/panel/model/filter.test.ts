import { expect, it } from 'vitest';
import { NO_FILTER, passes, type Filter } from './filter.ts';
import { loadModel } from './loadModel.ts';
import { sorted } from './sortRequests.ts';
import { START_MS, testRecord, testRequest } from './testing.ts';

const { requests } = loadModel(testRecord({
  needs: [{ url: 'https://a.test/big.JPG', kind: 'image' }],
  requests: [testRequest(0, 'https://a.test/', 0, 90, { kind: 'document' }), testRequest(1, 'https://a.test/big.JPG', 100, 900), testRequest(2, 'https://cdn.test/lib.js?v=2', 50, 30, { kind: 'script', transferBytes: 5 })],
}), { requests: [], connections: [] }, START_MS);
const names = (filter: Partial<Filter>): string[] => requests.filter((request) => passes({ ...NO_FILTER, ...filter }, request)).map(({ name }) => name);

it.each<[string, Partial<Filter>, string[]]>([
  ['nothing', {}, ['a.test', 'lib.js', 'big.JPG']],
  ['a part of the URL, in any case', { text: 'jpg' }, ['big.JPG']],
  ['several words', { text: 'test  V=2' }, ['lib.js']],
  ['a class', { classes: new Set(['inView']) }, ['big.JPG']],
  ['a server', { server: 'cdn.test' }, ['lib.js']],
  ['all at once', { text: 'lib', server: 'a.test' }, []],
])('by %s', (_, filter, expected) => expect(names(filter)).toEqual(expected));

it.each([
  ['bytes', false, ['lib.js', 'a.test', 'big.JPG']],
  ['bytes', true, ['a.test', 'big.JPG', 'lib.js']],
  ['name', false, ['a.test', 'big.JPG', 'lib.js']],
  ['lasts', true, ['big.JPG', 'a.test', 'lib.js']],
  ['class', false, ['a.test', 'big.JPG', 'lib.js']],
] as const)('sorts by %s (descending: %s), what is alike as it began', (column, isDescending, expected) => expect(sorted(requests, { column, isDescending }).map(({ name }) => name)).toEqual(expected));
