import { describe, expect, it } from 'vitest';
import type { AnsweredRequest } from './analyse.ts';
import { objectDifferences } from './objectComparison.ts';

const got = (url: string, extra: Partial<AnsweredRequest> = {}): AnsweredRequest => ({ url, canonicalUrl: url.split('?', 1)[0]!, status: 200, whole: true, ...extra });

describe('objectDifferences', () => {
  it('counts as lost what every stock run got', () => {
    const stock = [[got('a'), got('b'), got('ad1')], [got('a'), got('b'), got('ad2')]];
    expect(objectDifferences([got('a')], stock).lost).toEqual(['b']);
  });

  it('knows an object by its address without volatile parameters', () => {
    expect(objectDifferences([got('a?t=2')], [[got('a?t=1')]]).lost).toEqual([]);
  });

  it.each([
    ['a response that was cut off', { whole: false }],
    ['an error', { status: 503 }],
  ])('counts %s as lost', (_, extra) => {
    expect(objectDifferences([got('a', extra)], [[got('a')]]).lost).toEqual(['a']);
  });

  it('counts as fetched twice what no stock run fetched as often', () => {
    const stock = [[got('a'), got('poll'), got('poll')], [got('a'), got('poll')]];
    expect(objectDifferences([got('a'), got('a'), got('poll'), got('poll'), got('new')], stock).fetchedTwice).toEqual(['a']);
  });

  it('counts http: and https: of the same address together, as a host that is upgraded is asked in both', () => {
    const stock = [[got('https://a.test/x?q=1'), got('https://a.test/y'), got('http://a.test/y')]];
    const here = [got('http://a.test/x?q=1'), got('https://a.test/x?q=1'), got('http://a.test/x?q=2'), got('https://a.test/y'), got('http://a.test/y')];
    expect(objectDifferences(here, stock).fetchedTwice).toEqual(['http://a.test/x?q=1']);
  });

  it('finds nothing in a load that is like stock, nor without stock', () => {
    expect(objectDifferences([got('a')], [[got('a')]])).toEqual({ lost: [], fetchedTwice: [] });
    expect(objectDifferences([got('a')], [])).toEqual({ lost: [], fetchedTwice: [] });
  });
});
