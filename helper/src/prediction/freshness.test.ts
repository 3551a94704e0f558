import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshForMs, isFreshForAll } from './freshness.ts';

const NOW_MS = Date.parse('2026-11-01T00:00:00Z');
const [HOUR_AGO, IN_AN_HOUR] = [-3600, 3600].map((seconds) => new Date(NOW_MS + seconds * 1000).toUTCString()) as [string, string];

beforeEach(() => void vi.useFakeTimers({ now: NOW_MS }));
afterEach(() => void vi.useRealTimers());

describe('freshForMs', () => {
  it.each([
    ['max-age', 200, ['Cache-Control', 'public, max-age=60'], 60],
    ['less its age', 200, ['Cache-Control', 'max-age=60', 'Age', '20'], 40],
    ['too old', 200, ['Cache-Control', 'max-age=60', 'Age', '80'], 0],
    ['max-age before Expires', 200, ['Cache-Control', 'max-age=60', 'Expires', '0'], 60],
    ['in quotes', 200, ['Cache-Control', 'max-age="60"'], 60],
    ['no number', 200, ['Cache-Control', 'max-age=x'], 0],
    ['in two fields', 200, ['Cache-Control', 'private', 'cache-control', 'MAX-AGE = 5'], 5],
    ['for shared caches only', 200, ['Cache-Control', 's-maxage=60'], 0],
    ['Expires', 200, ['Expires', IN_AN_HOUR], 3600],
    ['Expires from Date', 200, ['Expires', IN_AN_HOUR, 'Date', HOUR_AGO], 7200],
    ['Expires in the past', 200, ['Expires', HOUR_AGO], 0],
    ['no date', 200, ['Expires', '-1'], 0],
    ['a tenth of the time since it changed', 200, ['Last-Modified', HOUR_AGO], 360],
    ['nothing', 200, [], 0],
    ['no-cache', 200, ['Cache-Control', 'no-cache, max-age=60'], 0],
    ['Vary: *', 200, ['Cache-Control', 'max-age=60', 'Vary', '*'], 0],
    ['no-store', 200, ['Cache-Control', 'no-store, max-age=60'], null],
    ['a redirect that is for now', 302, [], null],
    ['a redirect that says how long', 302, ['Cache-Control', 'max-age=60'], 60],
    ['a status of failure', 500, ['Last-Modified', HOUR_AGO], null],
  ])('%s', (_, status, headers, seconds) => expect(freshForMs(status, headers)).toBe(seconds === null ? null : seconds * 1000));

  it('takes anything', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (control, other) => {
        const headers = ['Cache-Control', control, 'Expires', other, 'Age', other, 'Last-Modified', other, 'Date', control];
        const fresh = freshForMs(200, headers);
        if (fresh !== null) expect(fresh).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('isFreshForAll', () => {
  it.each([
    ['max-age', ['Cache-Control', 'max-age=60'], true],
    ['Expires', ['Expires', IN_AN_HOUR], true],
    ['for shared caches only', ['Cache-Control', 's-maxage=60'], true],
    ['never changes', ['Cache-Control', 'immutable'], true],
    ['for the browser alone', ['Cache-Control', 'private, max-age=60'], false],
    ['for shared caches not', ['Cache-Control', 'max-age=60, s-maxage=0'], false],
    ['to be asked again by proxies', ['Cache-Control', 'max-age=60, proxy-revalidate'], false],
    ['too old', ['Cache-Control', 'max-age=60', 'Age', '80'], false],
    ['a time since it changed', ['Last-Modified', HOUR_AGO], false],
    ['public, without a time', ['Cache-Control', 'public', 'Last-Modified', HOUR_AGO], false],
    ['no-cache', ['Cache-Control', 'no-cache, max-age=60'], false],
    ['no-store', ['Cache-Control', 'no-store, max-age=60'], false],
    ['nothing', [], false],
  ])('%s', (_, headers, expected) => expect(isFreshForAll(200, headers)).toBe(expected));
});
