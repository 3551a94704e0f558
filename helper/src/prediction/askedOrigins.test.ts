import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AskedOrigins, parseStrictTransport, type AskedObject } from './askedOrigins.ts';

const [PAGE, HTTP, HTTPS] = ['http://a.test', 'http://b.test', 'https://b.test'] as const;

const of = (origin: string, headers: string[], path = '/a.png'): AskedObject => ({ origin, path, headers });

describe('what the browser has asked', () => {
  it('is known by page and origin', () => {
    const asked = new AskedOrigins();
    asked.note(PAGE, of(HTTP, []), 0);
    expect([asked.has(PAGE, HTTP), asked.has(PAGE, HTTPS), asked.has('http://c.test', HTTP)]).toEqual([true, false, false]);
  });

  it('tells the cookies that it sends there', () => {
    const asked = new AskedOrigins();
    asked.note(PAGE, of(HTTP, ['Cookie', 'a=1', 'cookie', 'b=2']), 5);
    expect([asked.cookie(PAGE, HTTP, 5), asked.cookie(PAGE, HTTP, 6), asked.cookie(PAGE, HTTPS, 0)]).toEqual(['a=1; b=2', undefined, undefined]);
    asked.note(PAGE, of(HTTP, ['Origin', PAGE]), 6);
    expect([asked.cookie(PAGE, HTTP, 5), asked.cookie(PAGE, HTTP, 6)]).toEqual(['a=1; b=2', undefined]);
    asked.note(PAGE, of(HTTP, []), 7);
    expect([asked.cookie(PAGE, HTTP, 7), asked.isUnclear(PAGE, HTTP, 7)]).toEqual([null, false]);
    asked.cookiesSet(PAGE, HTTP, 8);
    expect([asked.has(PAGE, HTTP), asked.cookie(PAGE, HTTP, 7), asked.isUnclear(PAGE, HTTP, 8)]).toEqual([true, undefined, true]);
  });

  it.each([['a CORS request', ['Origin', PAGE], '/a.png'], ['the icon of its origin', [], '/favicon.ico']])('of %s says nothing of cookies', (_, headers, path) => {
    const asked = new AskedOrigins();
    asked.note(PAGE, of(HTTP, headers, path), 0);
    expect([asked.has(PAGE, HTTP), asked.cookie(PAGE, HTTP, 0), asked.isUnclear(PAGE, HTTP, 0)]).toEqual([true, undefined, false]);
    asked.cookiesSet(PAGE, HTTP, 1);
    expect(asked.isUnclear(PAGE, HTTP, 1)).toBe(true);
  });

  it('in clear counts no more when a host turns out to be upgraded, until the browser does so again', () => {
    const asked = new AskedOrigins();
    const origins = [HTTP, 'http://b.test:8080', 'http://c.b.test', 'http://nob.test', HTTPS];
    const known = (): boolean[] => origins.map((origin) => asked.has(PAGE, origin));
    for (const origin of origins) asked.note(PAGE, of(origin, []), 0);
    asked.upgraded('b.test', false);
    expect(known()).toEqual([false, false, true, true, true]);
    asked.upgraded('b.test', true);
    expect(known()).toEqual([false, false, false, true, true]);
    asked.note(PAGE, of(HTTP, []), 1);
    expect(asked.has(PAGE, HTTP)).toBe(true);
  });

  it('in clear since a host was said to be upgraded counts, though that is said again', () => {
    const asked = new AskedOrigins();
    asked.upgraded('b.test', true);
    asked.note(PAGE, of('http://c.b.test', []), 0);
    asked.upgraded('b.test', true);
    expect(asked.has(PAGE, 'http://c.b.test')).toBe(true);
  });
});

describe('Strict-Transport-Security', () => {
  it.each([
    ['max-age=31536000', { includesSubdomains: false }],
    ['Max-Age="60" ; IncludeSubDomains; preload', { includesSubdomains: true }],
    ['includeSubDomains;max-age=1;', { includesSubdomains: true }],
    ['max-age=0', null],
    ['max-age=1; max-age=2', null],
    ['max-age=x', null],
    ['includeSubDomains', null],
    ['', null],
    [undefined, null],
  ])('%s', (header, expected) => expect(parseStrictTransport(header)).toEqual(expected));

  it('takes anything', () => {
    fc.assert(fc.property(fc.string(), (header) => void parseStrictTransport(header)));
  });
});
