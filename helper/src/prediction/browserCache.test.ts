import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { BrowserCache } from './browserCache.ts';

const MINUTE_MS = 60_000;
const FRESH = ['Cache-Control', 'max-age=60'];
const VALIDATED = [...FRESH, 'ETag', '"x"'];
/** Of the first of November 2026, at noon. */
const WALL_MS = Date.parse('2026-11-01T12:00:00Z');
const TODAY = Math.floor(WALL_MS / DAY_MS);

let nowMs: number;
let cache: BrowserCache;
beforeEach(() => {
  vi.useFakeTimers({ now: WALL_MS, toFake: ['Date'] });
  nowMs = 1;
  cache = new BrowserCache(() => nowMs, () => WALL_MS + nowMs, 'mine');
});
afterEach(() => void vi.useRealTimers());

describe('what the browser has in its cache', () => {
  it('is known until it is stale, for each partition', () => {
    cache.given('p', 'u', 200, FRESH);
    expect([cache.has('p', 'u'), cache.has('q', 'u')]).toEqual([true, false]);
    nowMs += MINUTE_MS - 1;
    expect(cache.has('p', 'u')).toBe(true);
    nowMs += 1;
    expect(cache.has('p', 'u')).toBe(false);
  });

  it('is asked for with its validator when it is stale, and is gone when it is not', () => {
    cache.given('p', 'u', 200, VALIDATED);
    nowMs += 60 * MINUTE_MS;
    expect([cache.has('p', 'u'), cache.isFresh('p', 'u')]).toEqual([true, false]);
    cache.asked('p', 'u', ['If-None-Match', '"x"']);
    expect(cache.has('p', 'u')).toBe(true);
    cache.asked('p', 'u', []);
    expect(cache.has('p', 'u')).toBe(false);
  });

  it('is kept on when it has not changed', () => {
    cache.given('p', 'u', 200, VALIDATED);
    nowMs += 6 * DAY_MS;
    cache.given('p', 'u', 304, FRESH);
    expect(cache.isFresh('p', 'u')).toBe(true);
    nowMs += 6 * DAY_MS;
    expect(cache.has('p', 'u')).toBe(true);
  });

  it('is not shown to be gone by a user who wants all anew', () => {
    cache.given('p', 'u', 200, FRESH);
    cache.asked('p', 'u', ['Cache-Control', 'no-cache']);
    expect(cache.has('p', 'u')).toBe(true);
  });

  it('is gone when a later answer forbids to keep it', () => {
    cache.given('p', 'u', 200, FRESH);
    cache.given('p', 'u', 200, ['Cache-Control', 'no-store']);
    expect(cache.has('p', 'u')).toBe(false);
  });
});

describe('for the memory', () => {
  const BEFORE = { keptDay: TODAY + 3, freshDay: TODAY, profile: 'mine' };

  it.each([
    ['what is fresh for two days', ['Cache-Control', 'max-age=172800'], { keptDay: TODAY + 2, freshDay: TODAY + 2, profile: 'mine' }],
    ['what has a validator is kept for a week', VALIDATED, { keptDay: TODAY + 7, freshDay: TODAY, profile: 'mine' }],
    ['nothing for less than a day', ['Cache-Control', 'max-age=86399'], null],
    ['nothing that is not stored', ['Cache-Control', 'no-store'], null],
  ])('%s', (_, headers, expected) => {
    cache.given('p', 'u', 200, headers);
    expect(cache.until('p', 'u', BEFORE)).toEqual(expected);
  });

  it('what was remembered, and of which nothing was seen, as it was', () => {
    expect(cache.until('p', 'u', BEFORE)).toEqual(BEFORE);
    cache.remembered('p', 'p', 'u', BEFORE);
    // half a day before it ends
    nowMs += 2 * DAY_MS;
    expect(cache.until('p', 'u', BEFORE)).toEqual(BEFORE);
  });

  it('nothing of what the browser has asked for, and not been given', () => {
    cache.asked('p', 'u', []);
    expect(cache.until('p', 'u', BEFORE)).toBeNull();
  });
});

describe('what the memory says of the browser', () => {
  const KEPT = { keptDay: TODAY + 2, freshDay: TODAY + 1, profile: 'mine' };
  const has = (...names: string[]): boolean[] => names.map((name) => cache.has('https://a.test', name));

  it('holds until its day', () => {
    cache.remembered('https://a.test', 'https://a.test', 'u', KEPT);
    expect([cache.has('https://a.test', 'u'), cache.isFresh('https://a.test', 'u')]).toEqual([true, true]);
    nowMs = DAY_MS / 2;
    expect([cache.has('https://a.test', 'u'), cache.isFresh('https://a.test', 'u')]).toEqual([true, false]);
    nowMs += DAY_MS;
    expect(cache.has('https://a.test', 'u')).toBe(false);
  });

  it('counts less than what was seen', () => {
    cache.asked('https://a.test', 'asked', []);
    cache.given('https://a.test', 'given', 200, FRESH);
    for (const name of ['asked', 'given']) cache.remembered('https://a.test', 'https://a.test', name, KEPT);
    nowMs += MINUTE_MS;
    expect(has('asked', 'given')).toEqual([false, false]);
  });

  it('is not believed of pages of an origin once one of their objects is gone; of others it is', () => {
    const ask = (): void => cache.asked('https://a.test', 'one', []);
    const remember = (page: string, partition: string, name: string): void => cache.remembered(page, partition, name, KEPT);
    cache.given('https://a.test', 'seen', 200, FRESH);
    for (const name of ['one', 'two']) remember('https://a.test', 'https://a.test', name);
    remember('https://a.test', 'https://cdn.test', 'font');
    remember('https://b.test', 'https://b.test', 'other');
    ask();
    remember('https://a.test', 'https://a.test', 'two');
    expect(has('seen', 'one', 'two')).toEqual([true, false, false]);
    expect([cache.has('https://cdn.test', 'font'), cache.has('https://b.test', 'other')]).toEqual([false, true]);
  });

  it('is not doubted for what a style sheet of another server asks for, perhaps for a page of another site', () => {
    for (const name of ['font', 'other font']) cache.remembered('https://a.test', 'https://cdn.test', name, KEPT);
    cache.asked('https://cdn.test', 'font', []);
    expect(['font', 'other font'].map((name) => cache.has('https://cdn.test', name))).toEqual([false, true]);
  });

  it('is not doubted for what is asked for after its day', () => {
    cache.remembered('https://a.test', 'https://a.test', 'old', { keptDay: TODAY, freshDay: TODAY, profile: 'mine' });
    cache.remembered('https://a.test', 'https://a.test', 'young', KEPT);
    cache.asked('https://a.test', 'old', []);
    expect(has('old', 'young')).toEqual([false, true]);
  });
});
