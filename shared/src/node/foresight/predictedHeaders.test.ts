import { describe, expect, it } from 'vitest';
import { NO_CORS, type FetchKind, type FetchMode } from '../reading/elementFetches.ts';
import { predictedHeaders, type Navigation, type PredictedTarget } from './predictedHeaders.ts';

const CORS: FetchMode = { credentials: 'same-origin', cors: true };
const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const CHROMIUM_ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const HINTS = ['sec-ch-ua', '"Not:A-Brand";v="8", "Chromium";v="156"', 'sec-ch-ua-mobile', '?0', 'sec-ch-ua-platform', '"Linux"'];
const METADATA = ['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-User', '?1', 'Sec-Fetch-Dest', 'document'];

/** As recorded: pages at a name that is not trustworthy, and at an address that is. */
const PAGES = {
  chromiumInClear: page('http://a.test:1/2', ['Host', 'a.test:1', 'Upgrade-Insecure-Requests', '1', 'User-Agent', CHROMIUM, 'Accept', CHROMIUM_ACCEPT, 'Referer', 'http://a.test:1/', 'Accept-Encoding', 'gzip, deflate', 'Accept-Language', 'en-US,en;q=0.9', 'Cookie', 'sid=1']),
  chromium: page('http://127.0.0.1:1/2', ['Host', '127.0.0.1:1', ...HINTS, 'Upgrade-Insecure-Requests', '1', 'User-Agent', CHROMIUM, 'Accept', CHROMIUM_ACCEPT, ...METADATA, 'Accept-Encoding', 'gzip, deflate, br, zstd', 'Accept-Language', 'en-US,en;q=0.9', 'Cookie', 'sid=1']),
  firefoxInClear: page('http://a.test:1/2', ['Host', 'a.test:1', 'User-Agent', FIREFOX, 'Accept', 'text/html,*/*;q=0.8', 'Accept-Language', 'en-US,en;q=0.9', 'Accept-Encoding', 'gzip, deflate', 'Referer', 'http://a.test:1/', 'Cookie', 'sid=1', 'Upgrade-Insecure-Requests', '1', 'Priority', 'u=0, i']),
  firefox: page('http://127.0.0.1:1/2', ['Host', '127.0.0.1:1', 'User-Agent', FIREFOX, 'Accept', 'text/html,*/*;q=0.8', 'Accept-Language', 'en-US,en;q=0.9', 'Accept-Encoding', 'gzip, deflate, br, zstd', 'Cookie', 'sid=1', 'Upgrade-Insecure-Requests', '1', ...METADATA, 'Priority', 'u=0, i']),
};
function page(url: string, request: readonly string[], answer: readonly string[] = []): Navigation {
  return { url, request, answer };
}
function headers(navigation: Navigation, url: string, kind: FetchKind, mode = NO_CORS, rest: Partial<PredictedTarget> = {}): string[] | null {
  const isOwn = new URL(url).origin === new URL(navigation.url).origin;
  return predictedHeaders(navigation, { url, kind, mode, referrer: navigation.url, referrerPolicy: null, ...rest }, 0, isOwn ? undefined : null);
}
const lines = (navigation: Navigation, url: string, kind: FetchKind, mode = NO_CORS): string[] => {
  const fields = headers(navigation, url, kind, mode) ?? [];
  return fields.flatMap((name, place) => (place % 2 === 0 ? [`${name}: ${fields[place + 1] ?? ''}`] : [])).map((line) => line.replace(/(?<=^User-Agent: ).*/, (agent) => (agent === CHROMIUM || agent === FIREFOX ? '*' : agent)));
};
const CHROMIUM_IMAGE = 'image/jxl,image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const UA = 'User-Agent: *';
const CHROMIUM_HINTS = ['sec-ch-ua-platform: "Linux"', UA, 'sec-ch-ua: "Not:A-Brand";v="8", "Chromium";v="156"', 'sec-ch-ua-mobile: ?0'];

describe('as recorded from Chromium 156', () => {
  const end = ['Accept-Encoding: gzip, deflate', 'Accept-Language: en-US,en;q=0.9'];
  it.each([
    ['a style sheet', '/s.css', 'style', NO_CORS, ['Host: a.test:1', UA, 'Accept: text/css,*/*;q=0.1', 'Referer: http://a.test:1/2', ...end, 'Cookie: sid=1']],
    ['an image', '/i.png', 'image', NO_CORS, ['Host: a.test:1', UA, `Accept: ${CHROMIUM_IMAGE}`, 'Referer: http://a.test:1/2', ...end, 'Cookie: sid=1']],
    ['a font', '/f.woff2', 'font', CORS, ['Host: a.test:1', UA, 'Origin: http://a.test:1', 'Accept: */*', 'Referer: http://a.test:1/2', ...end, 'Cookie: sid=1']],
    ['an image of another host', 'http://b.other:1/o.png', 'image', NO_CORS, ['Host: b.other:1', UA, `Accept: ${CHROMIUM_IMAGE}`, 'Referer: http://a.test:1/', ...end]],
    ['a module of another host', 'http://b.test:1/om.js', 'module', CORS, ['Host: b.test:1', UA, 'Origin: http://a.test:1', 'Accept: */*', 'Referer: http://a.test:1/', ...end]],
  ] as const)('%s in clear', (_, path, kind, mode, expected) => expect(lines(PAGES.chromiumInClear, new URL(path, 'http://a.test:1').href, kind, mode)).toEqual(expected));

  const secureEnd = ['Accept-Encoding: gzip, deflate, br, zstd', 'Accept-Language: en-US,en;q=0.9'];
  it.each([
    ['a script', 'http://127.0.0.1:1/x.js', 'script', NO_CORS, ['Host: 127.0.0.1:1', ...CHROMIUM_HINTS, 'Accept: */*', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: script', 'Referer: http://127.0.0.1:1/2', ...secureEnd, 'Cookie: sid=1']],
    ['a font', 'http://127.0.0.1:1/f.woff2', 'font', CORS, ['Host: 127.0.0.1:1', 'Origin: http://127.0.0.1:1', ...CHROMIUM_HINTS, 'Accept: */*', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: font', 'Referer: http://127.0.0.1:1/2', ...secureEnd, 'Cookie: sid=1']],
    ['an image of another site', 'http://localhost:1/o.png', 'image', NO_CORS, ['Host: localhost:1', ...CHROMIUM_HINTS, `Accept: ${CHROMIUM_IMAGE}`, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Dest: image', 'Sec-Fetch-Storage-Access: none', 'Referer: http://127.0.0.1:1/', ...secureEnd]],
    ['a script of another site with CORS', 'http://localhost:1/oc.js', 'script', CORS, ['Host: localhost:1', 'Origin: http://127.0.0.1:1', ...CHROMIUM_HINTS, 'Accept: */*', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors', 'Sec-Fetch-Dest: script', 'Referer: http://127.0.0.1:1/', ...secureEnd]],
  ] as const)('%s, trustworthy', (_, url, kind, mode, expected) => expect(lines(PAGES.chromium, url, kind, mode)).toEqual(expected));
});

describe('as recorded from Firefox 153', () => {
  const begin = ['Accept-Language: en-US,en;q=0.9', 'Accept-Encoding: gzip, deflate'];
  it.each([
    ['a style sheet', 'http://a.test:1/s.css', 'style', NO_CORS, ['Host: a.test:1', UA, 'Accept: text/css,*/*;q=0.1', ...begin, 'Referer: http://a.test:1/2', 'Cookie: sid=1', 'Priority: u=2']],
    ['a module', 'http://a.test:1/m.js', 'module', CORS, ['Host: a.test:1', UA, 'Accept: */*', ...begin, 'Referer: http://a.test:1/2', 'Cookie: sid=1']],
    ['a font of another host', 'http://b.test:1/of.woff2', 'font', CORS, ['Host: b.test:1', UA, 'Accept: application/font-woff2;q=1.0,application/font-woff;q=0.9,*/*;q=0.8', ...begin, 'Referer: http://a.test:1/', 'Origin: http://a.test:1', 'Priority: u=2']],
  ] as const)('%s in clear', (_, url, kind, mode, expected) => expect(lines(PAGES.firefoxInClear, url, kind, mode)).toEqual(expected));

  it('an image of another site, trustworthy', () => {
    expect(lines(PAGES.firefox, 'http://localhost:1/o.png', 'image')).toEqual([
      'Host: localhost:1', UA, 'Accept: image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'Accept-Language: en-US,en;q=0.9', 'Accept-Encoding: gzip, deflate, br, zstd', 'Sec-Fetch-Storage-Access: none',
      'Referer: http://127.0.0.1:1/', 'Sec-Fetch-Dest: image', 'Sec-Fetch-Mode: no-cors', 'Sec-Fetch-Site: cross-site', 'Priority: u=5, i',
    ]);
  });
});

describe('what can not be told is not predicted', () => {
  const clear = PAGES.chromiumInClear;
  const withFields = (...fields: string[]): Navigation => page(clear.url, [...clear.request, ...fields]);
  it.each([
    ['a reload', withFields('Cache-Control', 'max-age=0'), 'http://a.test:1/x'],
    ['a page that the browser has in its cache', withFields('If-None-Match', '"x"'), 'http://a.test:1/x'],
    ['a page behind a password', withFields('Authorization', 'Basic x'), 'http://a.test:1/x'],
    ['a frame of https: in a page of http:, whose own request has no hints', page('https://a.test/2', ['Host', 'a.test', 'User-Agent', CHROMIUM, 'Accept', CHROMIUM_ACCEPT, ...METADATA]), 'https://a.test/x'],
    ['another browser', page(clear.url, ['User-Agent', 'curl/8']), 'http://a.test:1/x'],
    ['a field that the user has put there', withFields('X-Forwarded-For', '192.0.2.1'), 'http://a.test:1/x'],
    ['an answer that has cookies cleared', { ...clear, answer: ['Clear-Site-Data', '"cookies"'] }, 'http://a.test:1/x'],
    ['an answer with cookies that are not clear', { ...clear, answer: ['Set-Cookie', 'x=1; Path=/x'] }, 'http://a.test:1/x'],
    ['cookies of who comes from another site, in clear', page(clear.url, clear.request.map((each) => (each === 'http://a.test:1/' ? 'http://b.test/' : each))), 'http://a.test:1/x'],
    ['cookies of who comes from nowhere, in clear', page(clear.url, clear.request.filter((each) => each !== 'Referer' && each !== 'http://a.test:1/')), 'http://a.test:1/x'],
    ['cookies of who comes from another site', page(PAGES.chromium.url, PAGES.chromium.request.map((each) => (each === 'same-origin' ? 'cross-site' : each))), 'http://127.0.0.1:1/x'],
    ['from a page in clear to one that is not', clear, 'https://a.test/x'],
    ['a site that only a list of suffixes tells', page('https://a.b.test/', clear.request), 'https://c.b.test/x'],
  ])('%s', (_, navigation, url) => expect(headers(navigation, url, 'image')).toBeNull());

  it('a forced reload is', () => {
    const fields = headers(withFields('Pragma', 'no-cache', 'Cache-Control', 'no-cache'), 'http://a.test:1/x', 'image');
    expect(fields?.slice(2, 6)).toEqual(['Pragma', 'no-cache', 'Cache-Control', 'no-cache']);
  });

  it('what Chrome tells Google is, to the page\'s own server', () => {
    const navigation = withFields('X-Client-Data', 'CIe2yQE=');
    expect(headers(navigation, 'http://a.test:1/x', 'image')).toEqual(expect.arrayContaining(['X-Client-Data', 'CIe2yQE=']));
    expect(headers(navigation, 'http://b.test:1/x', 'image')).not.toContain('X-Client-Data');
  });

  it('a cookie that comes with the page goes with its objects', () => {
    expect(headers({ ...clear, answer: ['Set-Cookie', 'new=1; Path=/'] }, 'http://a.test:1/x', 'image')?.slice(-2)).toEqual(['Cookie', 'sid=1; new=1']);
  });

  it('cookies in crumbs are joined', () => {
    expect(headers(withFields('Cookie', 'b=2'), 'http://a.test:1/x', 'image')?.slice(-2)).toEqual(['Cookie', 'sid=1; b=2']);
  });

  it('the cookies that the browser was seen to send count', () => {
    const target = { url: 'http://a.test:1/x', kind: 'image', mode: NO_CORS, referrer: clear.url, referrerPolicy: null } as const;
    expect(predictedHeaders(clear, target, 0, 'sid=1; script=2')?.slice(-2)).toEqual(['Cookie', 'sid=1; script=2']);
    expect(predictedHeaders(clear, target, 0, null)).not.toContain('Cookie');
  });

  it.each([
    ['with cookies', 'b=1', null],
    ['of whose cookies nothing is known', undefined, null],
    ['without cookies', null, 'http://b.test:1/x'],
  ])('another host %s', (_, seenCookie, expected) => {
    const target = { url: 'http://b.test:1/x', kind: 'image', mode: NO_CORS, referrer: clear.url, referrerPolicy: null } as const;
    expect(predictedHeaders(clear, target, 0, seenCookie) === null ? null : target.url).toBe(expected);
    expect(predictedHeaders(clear, { ...target, kind: 'font', mode: CORS }, 0, seenCookie)).not.toBeNull();
  });
});

describe('Referer', () => {
  it.each([
    ['of 4,096 characters', 4_096, true],
    ['longer', 4_097, false],
  ])('of an address that is %s', (_, chars, isWhole) => {
    const referrer = 'http://a.test:1/?'.padEnd(chars, 'q');
    expect(headers(PAGES.chromiumInClear, 'http://a.test:1/x', 'image', NO_CORS, { referrer })).toContain(isWhole ? referrer : 'http://a.test:1/');
  });

  it.each([
    [null, 'http://a.test:1/2?q', 'http://a.test:1/'],
    ['no-referrer', null, null],
    ['no-referrer-when-downgrade', 'http://a.test:1/2?q', 'http://a.test:1/2?q'],
    ['same-origin', 'http://a.test:1/2?q', null],
    ['origin', 'http://a.test:1/', 'http://a.test:1/'],
    ['strict-origin', 'http://a.test:1/', 'http://a.test:1/'],
    ['origin-when-cross-origin', 'http://a.test:1/2?q', 'http://a.test:1/'],
    ['unsafe-url', 'http://a.test:1/2?q', 'http://a.test:1/2?q'],
    ['nonsense', 'http://a.test:1/2?q', 'http://a.test:1/'],
  ])('%s', (referrerPolicy, own, other) => {
    const referer = (url: string): string | null => {
      const fields = headers(PAGES.chromiumInClear, url, 'image', CORS, { referrer: 'http://a.test:1/2?q#f', referrerPolicy }) ?? [];
      return fields.includes('Referer') ? (fields[fields.indexOf('Referer') + 1] ?? null) : null;
    };
    expect([referer('http://a.test:1/x'), referer('http://b.test:1/x')]).toEqual([own, other]);
  });
});

it('however long the cookies of an answer are, they are read once for all objects of its page', () => {
  const navigation = page('http://a.test/', [], ['Set-Cookie', `a=1; Path=/${';'.repeat(200_000)}`]);
  const startMs = performance.now();
  for (let n = 0; n < 50; n += 1) headers(navigation, `http://a.test/${n}.png`, 'image');
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
