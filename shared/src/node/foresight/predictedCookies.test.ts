import { describe, expect, it } from 'vitest';
import { cookieAfter } from './predictedCookies.ts';

const NOW_MS = Date.parse('2026-11-01T00:00:00Z');

describe('cookieAfter', () => {
  it.each([
    ['none', null, [], null],
    ['the same', 'a=1; b=2', [], 'a=1; b=2'],
    ['a new one', null, ['a=1; Path=/'], 'a=1'],
    ['a new one is last', 'a=1', ['b=2; path=/; HttpOnly; SameSite=Lax'], 'a=1; b=2'],
    ['another value', 'a=1; b=2; c=3', ['a=4; Path=/', 'b=2; Path=/; Max-Age=9'], 'b=2; c=3; a=4'],
    ['one that ends', 'a=1; b=2', ['a=; Path=/; Max-Age=0'], 'b=2'],
    ['the last one ends', 'a=1', ['a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], null],
    ['Max-Age before Expires', null, ['a=1; Path=/; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], 'a=1'],
    ['one that stays', null, ['a=1; Path=/; Expires=Fri, 01 Jan 2027 00:00:00 GMT'], 'a=1'],
    ['a value with =', null, ['a=b=c; Path=/'], 'a=b=c'],
    ['a value whose last letter of UTF-8 ends as a space does', null, ['a=voil\xc3\xa0; Path=/'], 'a=voil\xc3\xa0'],
    ['spaces', 'b=2', [' a = 1 \t; Path = /', 'b=; Path=/; Max-Age = 0'], 'a=1'],
    ['another path, with spaces', null, ['a=1; Path = /x'], undefined],
    ['no path', null, ['a=1'], 'a=1'],
    ['another path', null, ['a=1; Path=/x'], undefined],
    ['its own domain', null, ['a=1; Path=/; Domain=www.a.test'], 'a=1'],
    ['the domain of its site', 'b=2', ['a=1; Path=/; Domain=.A.test'], 'b=2; a=1'],
    ['another value for a domain', 'a=1; b=2', ['a=3; Path=/; Domain=a.test', 'a=4; Path=/; Domain=.a.test'], 'b=2; a=4'],
    ['one name for two domains', null, ['a=1; Path=/', 'a=2; Path=/; Domain=a.test'], undefined],
    ['one that ends for all domains that it may have', 'b=2', ['a=; Path=/; Max-Age=0', 'a=; Path=/; Max-Age=0; Domain=a.test'], 'b=2'],
    ['another domain', null, ['a=1; Path=/; Domain=b.test'], undefined],
    ['a part of a name', null, ['a=1; Path=/; Domain=w.a.test'], undefined],
    ['a host below', null, ['a=1; Path=/; Domain=x.www.a.test'], undefined],
    ['a domain of many sites', null, ['a=1; Path=/; Domain=test'], undefined],
    ['partitioned, but not secure', null, ['a=1; Path=/; Partitioned'], undefined],
    ['more than browsers take', null, [`a=${'1'.repeat(5_000)}; Path=/`], undefined],
    ['secure, where nothing is', null, ['a=1; Path=/; Secure'], undefined],
    ['SameSite=None without Secure', null, ['a=1; Path=/; SameSite=None'], undefined],
    ['a prefix', null, ['__Host-a=1; Path=/'], undefined],
    ['no name', null, ['=1; Path=/'], undefined],
    ['one that is there twice', 'a=1; a=2', ['a=3; Path=/'], undefined],
  ])('%s', (_, cookie, setCookies, expected) => expect(cookieAfter(cookie, setCookies, new URL('http://www.a.test/page'), false, NOW_MS)).toBe(expected));

  it.each([
    ['secure ones', 'https://www.a.test/', 'a=1; Path=/; Secure; SameSite=None', 'a=1'],
    ['partitioned', 'https://www.a.test/', 'a=1; Path=/; Secure; Partitioned', 'a=1'],
    ['of a directory', 'https://www.a.test/dir/page', 'a=1', undefined],
    ['of a directory, for all', 'https://www.a.test/dir/page', 'a=1; Path=/', 'a=1'],
    ['a prefix for the host', 'https://www.a.test/', '__Host-a=1; Path=/; Secure', '__Host-a=1'],
    ['a prefix for the host, with a domain', 'https://www.a.test/', '__Host-a=1; Path=/; Secure; Domain=a.test', undefined],
    ['a prefix for the host, without a path', 'https://www.a.test/', '__Host-a=1; Secure', undefined],
    ['a prefix for what is secure', 'https://www.a.test/', '__secure-a=1; Path=/; Secure; Domain=a.test', '__secure-a=1'],
    ['a prefix without what it asks for', 'https://www.a.test/', '__Secure-a=1; Path=/', undefined],
    ['a newer prefix', 'https://www.a.test/', '__Host-Http-a=1; Path=/; Secure; HttpOnly', undefined],
    ['no prefix', 'https://www.a.test/', '__cf_bm=1; Path=/; Secure; HttpOnly; Domain=.a.test; SameSite=None', '__cf_bm=1'],
    ['a public suffix that is the host', 'https://github.io/', 'a=1; Path=/; Domain=github.io', 'a=1'],
    ['a public suffix', 'https://a.github.io/', 'a=1; Path=/; Domain=github.io', undefined],
    ['an address', 'https://192.0.2.1/', 'a=1; Path=/; Domain=192.0.2.1', 'a=1'],
    ['a part of an address', 'https://192.0.2.1/', 'a=1; Path=/; Domain=0.2.1', undefined],
  ])('%s', (_, url, setCookie, expected) => expect(cookieAfter(null, [setCookie], new URL(url), false, NOW_MS)).toBe(expected));

  it('more than browsers keep can not be told, whatever there is of them', () => {
    const startMs = performance.now();
    expect(cookieAfter('a=1', Array.from({ length: 15_000 }, (_, n) => `b${n}=1`), new URL('http://a.test/'), false, NOW_MS)).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(500);
  });

  it('Firefox has another value in its place', () => expect(cookieAfter('a=1; b=2; c=3', ['a=4; Path=/', 'b=; Path=/; Max-Age=0'], new URL('http://a.test/'), true, NOW_MS)).toBe('a=4; c=3'));

  it('whether one that is there is partitioned is not known', () => expect(cookieAfter('a=1', ['a=2; Path=/; Secure; Partitioned'], new URL('https://a.test/'), false, NOW_MS)).toBeUndefined());
});
