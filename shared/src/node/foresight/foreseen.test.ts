import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../fetching/fetchObject.ts';
import { ContentPolicies } from '../reading/contentPolicy.ts';
import { NO_CORS } from '../reading/elementFetches.ts';
import { namedBy } from './foreseen.ts';

const PAGE = { navigation: { url: 'http://a.test/', request: [], setCookies: [] }, policies: new ContentPolicies('http://a.test/'), load: 0, startMs: 0, bypassesCache: false, unnamed: new Set<string>() };

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
