import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { ContentPolicies } from '../reading/contentPolicy.ts';
import { NO_CORS } from '../reading/elementFetches.ts';
import { namedBy } from './foreseen.ts';

const PAGE = { navigation: { url: 'http://a.test/', request: [], setCookies: [] }, policies: new ContentPolicies('http://a.test/'), load: 0, startMs: 0 };

describe('what a document names', () => {
  it.each([
    ['style', false, FetchClass.layout],
    ['script', false, FetchClass.layout],
    ['script', true, FetchClass.unplaced],
    ['module', true, FetchClass.unplaced],
    ['font', false, FetchClass.layout],
    ['image', false, FetchClass.unplaced],
  ] as const)('%s, that runs later (%s), is of class %i', (kind, isDeferred, fetchClass) => {
    expect(namedBy(PAGE, { url: 'http://a.test/x', kind, mode: NO_CORS, isDeferred, referrerPolicy: null }, null).fetchClass).toBe(fetchClass);
  });
});
