import { describe, expect, it } from 'vitest';
import { cookieAfter } from './predictedCookies.ts';

const NOW_MS = Date.parse('2026-11-01T00:00:00Z');

describe('cookieAfter', () => {
  it.each([
    ['none', null, [], null],
    ['the same', 'a=1; b=2', [], 'a=1; b=2'],
    ['a new one', null, ['a=1; Path=/'], 'a=1'],
    ['a new one is last', 'a=1', ['b=2; path=/; HttpOnly; SameSite=Lax'], 'a=1; b=2'],
    ['another value in its place', 'a=1; b=2', ['a=3; Path=/'], 'a=3; b=2'],
    ['one that ends', 'a=1; b=2', ['a=; Path=/; Max-Age=0'], 'b=2'],
    ['the last one ends', 'a=1', ['a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], null],
    ['Max-Age before Expires', null, ['a=1; Path=/; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'a=1'],
    ['one that stays', null, ['a=1; Path=/; Expires=Fri, 01 Jan 2027 00:00:00 GMT'], 'a=1'],
    ['a value with =', null, ['a=b=c; Path=/'], 'a=b=c'],
    ['no path', null, ['a=1'], undefined],
    ['another path', null, ['a=1; Path=/x'], undefined],
    ['a domain', null, ['a=1; Path=/; Domain=a.test'], undefined],
    ['secure, where nothing is', null, ['a=1; Path=/; Secure'], undefined],
    ['SameSite=None without Secure', null, ['a=1; Path=/; SameSite=None'], undefined],
    ['a prefix', null, ['__Host-a=1; Path=/'], undefined],
    ['no name', null, ['=1; Path=/'], undefined],
    ['one that is there twice', 'a=1; a=2', ['a=3; Path=/'], undefined],
  ])('%s', (_, cookie, setCookies, expected) => expect(cookieAfter(cookie, setCookies, false, NOW_MS)).toBe(expected));

  it('secure ones are taken by a secure origin', () => expect(cookieAfter(null, ['a=1; Path=/; Secure; SameSite=None'], true, NOW_MS)).toBe('a=1'));
});
