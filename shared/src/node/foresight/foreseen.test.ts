import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../fetching/fetchObject.ts';
import { ContentPolicies } from '../reading/contentPolicy.ts';
import { NO_CORS } from '../reading/elementFetches.ts';
import { expectedFrom, namedBy, referrerPolicyOf } from './foreseen.ts';

const PAGE = { navigation: { url: 'http://a.test/', request: [], answer: [] }, policies: new ContentPolicies('http://a.test/'), load: 0, startMs: 0, bypassesCache: false, unnamed: new Set<string>() };

const FOUND = { url: 'http://a.test/x', mode: NO_CORS, isDeferred: false, isBehindImages: false, referrerPolicy: null } as const;

describe('what a document names', () => {
  it.each([
    ['style', false, FetchClass.layout],
    ['script', false, FetchClass.layout],
    ['script', true, FetchClass.unplaced],
    ['module', true, FetchClass.unplaced],
    ['font', false, FetchClass.layout],
    ['image', false, FetchClass.unplaced],
  ] as const)('%s, that runs later (%s), is of class %i', (kind, isDeferred, fetchClass) => {
    expect(namedBy(PAGE, { ...FOUND, kind, isDeferred }, null).fetchClass).toBe(fetchClass);
  });

  it.each([
    ['style', {}, 'u=0'],
    ['font', {}, 'u=0'],
    ['script', {}, 'u=1'],
    ['script', { isBehindImages: true }, 'u=2'],
    ['script', { isBehindImages: true, isDeferred: true }, 'u=4, i'],
    ['image', {}, null],
  ] as const)('%s (%j) has the priority %s', (kind, found, priority) => {
    expect(namedBy(PAGE, { ...FOUND, kind, ...found }, null).expectedPriority).toBe(priority);
  });
});

describe('what is remembered', () => {
  const REMEMBERED = { url: 'http://b.test/x', kind: 'image', bytes: 1, cached: null, isNamed: true, isCertain: true } as const;

  it.each([
    [null, 'unsafe-url'],
    ['', 'no-referrer'],
    ['http://b.test/s.css', null],
  ])('and was asked for by "%s" goes by the policy %s, where the document has one of its own', (referrer, expected) => {
    const [foreseen] = expectedFrom(PAGE, { ...REMEMBERED, request: { referrer, site: null, isCors: false, hasCookies: false } }, 'unsafe-url');
    expect(foreseen?.referrerPolicy).toBe(expected);
  });
});

it.each([
  [['Referrer-Policy', 'no-referrer, unsafe-url'], 'unsafe-url'],
  [['Referrer-Policy', 'unsafe-url', 'X', 'y', 'Referrer-Policy', 'new, Origin, newer'], 'origin'],
  [['X', 'y'], null],
])('an answer with %j has the referrer policy %s', (fields, expected) => expect(referrerPolicyOf(fields)).toBe(expected));
