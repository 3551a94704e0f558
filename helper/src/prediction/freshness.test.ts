import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cacheDirectives, freshForMs } from './freshness.ts';
import { FreshnessLedger } from './freshnessLedger.ts';

const NOW_MS = Date.parse('2026-11-01T00:00:00Z');
const [HOUR_AGO, IN_AN_HOUR] = [-3600, 3600].map((seconds) => new Date(NOW_MS + seconds * 1000).toUTCString()) as [string, string];

describe('freshForMs', () => {
  it.each([
    ['max-age', 200, ['Cache-Control', 'public, max-age=60'], 60],
    ['less its age', 200, ['Cache-Control', 'max-age=60', 'Age', '20'], 40],
    ['too old', 200, ['Cache-Control', 'max-age=60', 'Age', '80'], 0],
    ['max-age before Expires', 200, ['Cache-Control', 'max-age=60', 'Expires', '0'], 60],
    ['in quotes', 200, ['Cache-Control', 'max-age="60"'], 60],
    ['no number', 200, ['Cache-Control', 'max-age=x'], 0],
    ['in two fields', 200, ['Cache-Control', 'private', 'cache-control', 'MAX-AGE = 5'], 5],
    ['the first of two', 200, ['Cache-Control', 'max-age=1, max-age=2'], 1],
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
  ])('%s', (_, status, headers, seconds) => expect(freshForMs(status, headers, NOW_MS)).toBe(seconds === null ? null : seconds * 1000));

  it('takes anything', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (control, other) => {
        const headers = ['Cache-Control', control, 'Expires', other, 'Age', other, 'Last-Modified', other, 'Date', control];
        const fresh = freshForMs(200, headers, NOW_MS);
        if (fresh !== null) expect(fresh).toBeGreaterThanOrEqual(0);
        expect(cacheDirectives(headers).size).toBeLessThanOrEqual(control.length);
      }),
    );
  });
});

describe('FreshnessLedger', () => {
  const FRESH = ['Cache-Control', 'max-age=60'];

  it('knows what the browser has, until it is stale', () => {
    const ledger = new FreshnessLedger(10);
    ledger.given('p', 'u', 200, FRESH, NOW_MS);
    expect([59_999, 60_000].map((ms) => ledger.isLikelyCached('p', 'u', NOW_MS + ms))).toEqual([true, false]);
    expect(ledger.isLikelyCached('q', 'u', NOW_MS)).toBe(false);
  });

  it('knows that what is stale is asked for with its validator', () => {
    const ledger = new FreshnessLedger(10);
    ledger.given('p', 'u', 200, [...FRESH, 'ETag', '"x"'], NOW_MS);
    expect(ledger.isLikelyCached('p', 'u', NOW_MS + 3_600_000)).toBe(true);
    ledger.asked('p', 'u');
    expect(ledger.isLikelyCached('p', 'u', NOW_MS)).toBe(false);
  });

  it('forgets what a later answer forbids to keep', () => {
    const ledger = new FreshnessLedger(10);
    ledger.given('p', 'u', 200, FRESH, NOW_MS);
    ledger.given('p', 'u', 200, ['Cache-Control', 'no-store'], NOW_MS);
    expect(ledger.isLikelyCached('p', 'u', NOW_MS)).toBe(false);
  });

  it('is bounded, the oldest goes first', () => {
    const ledger = new FreshnessLedger(3);
    for (const url of ['a', 'b', 'c', 'a', 'd']) ledger.given('p', url, 200, FRESH, NOW_MS);
    expect(['a', 'b', 'c', 'd'].map((url) => ledger.isLikelyCached('p', url, NOW_MS))).toEqual([true, false, true, true]);
    expect(ledger.size).toBe(3);
  });
});
