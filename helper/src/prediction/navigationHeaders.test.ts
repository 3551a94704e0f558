import { describe, expect, it } from 'vitest';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { navigationHeaders, type FollowedLink } from './navigationHeaders.ts';
import { isEqualRequest } from './requestMatch.ts';

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8';
const LANGUAGE = ['Accept-Language', 'en-US,en;q=0.9'];
const HINTS = ['sec-ch-ua', '"Chromium";v="156"', 'sec-ch-ua-mobile', '?0', 'sec-ch-ua-platform', '"Linux"'];
const FIREFOX_BEGIN = ['User-Agent', FIREFOX, 'Accept', 'text/html,*/*;q=0.8', ...LANGUAGE];

/** A page that was typed in, and what the browser asks for when its link is clicked, by browser and scheme. */
const PAGES: Readonly<Record<string, { readonly base: string; readonly page: RawHeaders; readonly next: (host: string, referer: string) => RawHeaders }>> = {
  'Chromium in clear': {
    base: 'http://a.test',
    page: ['Host', 'a.test', 'Upgrade-Insecure-Requests', '1', 'User-Agent', CHROMIUM, 'Accept', ACCEPT, 'Accept-Encoding', 'gzip, deflate', ...LANGUAGE, 'Cookie', 'sid=1'],
    next: (host, referer) => ['Host', host, 'Upgrade-Insecure-Requests', '1', 'User-Agent', CHROMIUM, 'Accept', ACCEPT, 'Referer', referer, 'Accept-Encoding', 'gzip, deflate', ...LANGUAGE, 'Cookie', 'sid=1'],
  },
  'Chromium over TLS': {
    base: 'https://a.test',
    page: ['host', 'a.test', ...HINTS, 'upgrade-insecure-requests', '1', 'user-agent', CHROMIUM, 'accept', ACCEPT, 'sec-fetch-site', 'none', 'sec-fetch-mode', 'navigate', 'sec-fetch-user', '?1', 'sec-fetch-dest', 'document', 'accept-encoding', 'gzip, deflate, br, zstd', ...LANGUAGE, 'cookie', 'sid=1', 'priority', 'u=0, i'],
    next: (host, referer) => ['host', host, ...HINTS, 'upgrade-insecure-requests', '1', 'user-agent', CHROMIUM, 'accept', ACCEPT, 'sec-fetch-site', 'same-origin', 'sec-fetch-mode', 'navigate', 'sec-fetch-user', '?1', 'sec-fetch-dest', 'document', 'referer', referer, 'accept-encoding', 'gzip, deflate, br, zstd', ...LANGUAGE, 'cookie', 'sid=1', 'priority', 'u=0, i'],
  },
  'Firefox in clear': {
    base: 'http://a.test',
    page: ['Host', 'a.test', ...FIREFOX_BEGIN, 'Accept-Encoding', 'gzip, deflate', 'Cookie', 'sid=1', 'Upgrade-Insecure-Requests', '1', 'Priority', 'u=0, i'],
    next: (host, referer) => ['Host', host, ...FIREFOX_BEGIN, 'Accept-Encoding', 'gzip, deflate', 'Referer', referer, 'Cookie', 'sid=1', 'Upgrade-Insecure-Requests', '1', 'Priority', 'u=0, i'],
  },
  'Firefox over TLS': {
    base: 'https://a.test',
    page: ['Host', 'a.test', ...FIREFOX_BEGIN, 'Accept-Encoding', 'gzip, deflate, br, zstd', 'Cookie', 'sid=1', 'Upgrade-Insecure-Requests', '1', 'Sec-Fetch-Dest', 'document', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Site', 'none', 'Sec-Fetch-User', '?1', 'Priority', 'u=0, i'],
    next: (host, referer) => ['Host', host, ...FIREFOX_BEGIN, 'Accept-Encoding', 'gzip, deflate, br, zstd', 'Referer', referer, 'Cookie', 'sid=1', 'Upgrade-Insecure-Requests', '1', 'Sec-Fetch-Dest', 'document', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-User', '?1', 'Priority', 'u=0, i'],
  },
};

function headers(base: string, request: RawHeaders, { answer = [], cookie, ...link }: Partial<FollowedLink> & { answer?: RawHeaders; cookie?: string | null | undefined } = {}): string[] | null {
  const page = `${base}/list?page=1`;
  return navigationHeaders({ navigation: { url: page, request, answer }, startMs: 0 }, { page, url: `${base}/next`, referrerPolicy: null, ...link }, 0, cookie);
}

describe.each(Object.entries(PAGES))('a link that is clicked in %s', (_, { base, page, next }) => {
  const expected = next('a.test', `${base}/list?page=1`);
  // in clear nothing tells whether a page without a referrer was come to from elsewhere, but what was asked for since
  const seen = { cookie: 'sid=1' };

  it('is asked for with these fields, in this order', () => {
    const fields = headers(base, page, seen) ?? [];
    expect(fields.map((each, place) => (place % 2 === 0 ? each.toLowerCase() : each))).toEqual(expected.map((each, place) => (place % 2 === 0 ? each.toLowerCase() : each)));
    expect(isEqualRequest(expected, fields)).toBe(true);
  });

  it('and from a page that was itself come to by a link, or loaded again', () => {
    expect(isEqualRequest(expected, headers(base, expected, seen) ?? [])).toBe(true);
    expect(isEqualRequest(expected, headers(base, [...page, 'Cache-Control', 'max-age=0', 'If-None-Match', '"1"'], seen) ?? [])).toBe(true);
  });

  it.each<[string, RawHeaders]>([
    ['cookies', ['Cookie', 'b=2']],
    ['a range', ['Range', 'bytes=0-']],
    ['a validator', ['If-None-Match', '"1"']],
    ['a name and password', ['Authorization', 'Basic x']],
    ['any other field', ['X-Own', '1']],
  ])('is another request with %s besides', (_case, more) => expect(isEqualRequest([...expected, ...more], headers(base, page, seen) ?? [])).toBe(false));

  it('is the same request where the network was measured anew, and another one where it was measured first', () => {
    const measured = [...page, 'downlink', '1.7', 'rtt', '100'];
    const predicted = headers(base, measured, seen) ?? [];
    expect(isEqualRequest([...expected, 'downlink', '1.6', 'rtt', '150'], predicted)).toBe(true);
    expect(isEqualRequest(expected, predicted)).toBe(false);
  });

  it('is the same request with another priority, or as a prefetch', () => {
    expect(isEqualRequest([...expected, 'Sec-Purpose', 'prefetch'], headers(base, page, seen) ?? [])).toBe(true);
  });
});

describe('what goes along', () => {
  const { base, page } = PAGES['Chromium over TLS'] as (typeof PAGES)[string];
  const of = (name: string, options: Parameters<typeof headers>[2]): string | undefined => {
    const fields = headers(base, page, options) ?? [];
    return fields[fields.findIndex((each, place) => place % 2 === 0 && each.toLowerCase() === name) + 1];
  };

  it.each([
    ['by default', {}, `${base}/list?page=1`],
    ['by the policy of the answer', { answer: ['Referrer-Policy', 'unsafe-url, origin'] }, `${base}/`],
    ['by that of the link before that of the answer', { answer: ['Referrer-Policy', 'origin'], referrerPolicy: 'unsafe-url' }, `${base}/list?page=1`],
    ['from what a script has made of the URL', { page: `${base}/list?page=2` }, `${base}/list?page=2`],
  ])('is the referrer %s', (_, options, expected) => expect(of('referer', options)).toBe(expected));

  it('is no referrer where there is to be none', () => expect((headers(base, page, { referrerPolicy: 'no-referrer' }) ?? []).map((each) => each.toLowerCase())).not.toContain('referer'));

  it.each([
    ['those of the page, and what its answer has set', { answer: ['Set-Cookie', 'b=2; Path=/'] }, 'sid=1; b=2'],
    ['those that were sent since', { cookie: 'sid=2' }, 'sid=2'],
  ])('are cookies: %s', (_, options, expected) => expect(of('cookie', options)).toBe(expected));

  it('are no cookies where the browser has sent none since', () => expect((headers(base, page, { cookie: null }) ?? []).map((each) => each.toLowerCase())).not.toContain('cookie'));
});

describe('what can not be told is not asked for', () => {
  const { base, page } = PAGES['Chromium over TLS'] as (typeof PAGES)[string];
  it.each<[string, RawHeaders, RawHeaders]>([
    ['a page behind a name and password', [...page, 'Authorization', 'Basic x'], []],
    ['a page that was asked for past every cache', [...page, 'Cache-Control', 'no-cache', 'Pragma', 'no-cache'], []],
    ['a page in a frame', page.map((each) => (each === 'document' ? 'iframe' : each)), []],
    ['a server that asks for more hints', page, ['Accept-CH', 'sec-ch-ua, Sec-CH-UA-Model']],
    ['a page with cookies that was come to from elsewhere', page.map((each) => (each === 'none' ? 'cross-site' : each)), []],
    ['cookies of which only the browser knows where they go', page, ['Set-Cookie', 'b=2; Path=/list']],
  ])('%s', (_, request, answer) => expect(headers(base, request, { answer })).toBeNull());

  it('hints that the page has had go on', () => expect(headers(base, page, { answer: ['Accept-CH', 'Sec-CH-UA'] })).not.toBeNull());
});
