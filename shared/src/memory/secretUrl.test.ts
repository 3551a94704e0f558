import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageKeys } from './pageKey.ts';
import { hasSecretPath, hasSecretQuery, isSingleUse } from './secretUrl.ts';

const SHA_256 = '173478d133f6f5990705f3ed2f48714422de15754d813df6aa2a047bf62a51da';

describe('a page that is good once', () => {
  it.each([
    'https://a.test/reset/abc12',
    'https://a.test/reset-password/abc12',
    'https://a.test/account/resetYourPassword/abc12',
    'https://a.test/reset.php?u=7&k=abc',
    'https://a.test/en/confirm/7/abc',
    'https://a.test/verify_email/?u=7',
    'https://a.test/invite/abc12',
    'https://a.test/accept-invitation/abc12/',
    'https://a.test/magic-link/abc12',
    'https://a.test/unsubscribe/abc12',
    'https://a.test/oauth2/callback?code=a&state=b',
    'https://a.test/login?token=abc12',
    'https://a.test/?access_token=abc12',
    'https://a.test/?idToken=abc12',
    'https://a.test/wp-login.php?action=rp&key=kR3vTq9ZpL2xWm8YbN4c&login=jane',
    'https://a.test/auth/action?mode=resetPassword&oobCode=abc12',
    'https://a.test/file/report.pdf?Expires=1700000000&Signature=abc',
    'https://a.test/login?ticket=ST-1-abc',
    'https://a.test/welcome/token=abc12',
    'https://a.test/open?3f2a9c81d0b34e5f',
  ])('%s', (url) => expect(isSingleUse(url)).toBe(true));
});

describe('a page that anybody has', () => {
  it.each([
    'https://a.test/',
    'https://a.test/reset-password',
    'https://a.test/reset/',
    'https://a.test/news/confirm-deal-with-neighbours/comments',
    'https://a.test/news/2026/11/how-to-reset-a-router/2',
    'https://a.test/blog/invites-of-the-year?page=2',
    'https://a.test/verified/people',
    'https://a.test/search?q=reset+password&lang=en',
    'https://a.test/article?utm_source=mail&gclid=Cj0KCQiA3f2a9c81d0b34e5f3f2a9c81d0b34e5f3f2a9c81d0b34e5f',
    'https://a.test/list?code=SUMMER&key=name&state=open&id=123456',
    'https://a.test/watch?v=dQw4w9WgXcQ&t=42',
    'https://a.test/page?token=',
    'https://a.test/viewtopic.php?t=7&sid=3f2a9c81d0b34e5f3f2a9c81d0b34e5f',
  ])('%s', (url) => expect(isSingleUse(url)).toBe(false));
});

describe('the address of an object', () => {
  it.each([
    ['https://a.test/s.css', false],
    ['https://a.test/app.3f2a9c.js', false],
    ['https://a.test/css/reset/reset.min.css', false],
    ['https://a.test/_next/static/chunks/main-3f2a9c81d0b34e5f.js', false],
    ['https://a.test/a/da39a3ee5e6b4b0d3255bfef95601890afd80709/x.png', false],
    ['https://a.test/s.css;jsessionid=3F2A9C81D0B34E5F', true],
    ['https://a.test/(S(lit3py55t21z5v55vlm25s55))/s.css', true],
    ['https://a.test/fonts/a;b.woff', false],
    [`https://a.test/css/shell.min.${SHA_256}.css`, false],
    [`https://a.test/assets/logo-${SHA_256}.png`, false],
    [`https://a.test/${SHA_256}.png`, true],
    [`https://a.test/u/${SHA_256}/logo.png`, true],
    ['https://a.test/img/the_new_house_of_the_letters_in_spring_2026_1024x768.jpg', false],
    ['https://a.test/img/sunset_hu59e56ffff1bc1d8d122b1403d34e039f_90587_400x0_resize_q75_box.jpg', false],
    ['https://a.test/img/%E6%96%B0%E9%97%BB%E4%B8%AD%E5%BF%83%E7%9A%84%E5%9B%BE%E7%89%87.jpg', false],
    ['https://a.test/t/8amHWR67JL7112MBZZ3grKy-AeLXimkknDaR8wp_o4A.jpg', true],
    ['https://a.test/pw/AP1GczN0123456789abcdefghijklmnopqrstuvwxyzABCDEF=w800', true],
  ])('%s is secret by its path: %s', (url, expected) => expect(hasSecretPath(url)).toBe(expected));

  it.each([
    ['https://f.test/css2?family=DM+Sans:wght@400;700&display=swap', false],
    ['https://f.test/css2?family=DM+Sans:wght@400;700&family=Forum&display=swap', false],
    ['https://f.test/icons.woff?e3485', false],
    ['https://f.test/s.css?version=5.2.1', false],
    ['https://f.test/s.css?user=3f2a9c81d0b34e5f', true],
    ['https://f.test/s.css?token=abc12', true],
    ['https://f.test/s.css?Expires=1700000000&Signature=abc&Key-Pair-Id=A', true],
    ['https://f.test/s.css?sv=2026&sig=abc', true],
    ['https://f.test/s.css?X-Amz-Expires=60', true],
    ['https://f.test/s.css?sid=abc12', true],
  ])('%s is secret by its query: %s', (url, expected) => expect(hasSecretQuery(url)).toBe(expected));
});

describe('whatever is in an address', () => {
  const origin = fc.constantFrom('https://a.test', 'http://www.a.test:8080', 'https://user:word@a.test');
  /** Nobody does them once; as long as words of titles are. */
  const title = fc.array(fc.constantFrom('the', 'house', 'of', 'tokens', 'confirm', 'a', 'deal', 'in', 'spring', 'password', 'reset', 'letters'), { minLength: 1, maxLength: 6 }).map((said) => [...said, 'story'].join('-'));
  const action = fc.constantFrom('reset', 'confirm', 'invite', 'verify-email', 'password_reset', 'acceptInvitation', 'activate.html', 'magic-link');
  const short = fc.stringMatching(/^[a-z0-9]{1,11}$/);

  it('titles are kept as they are', () => {
    fc.assert(
      fc.property(origin, fc.array(title, { maxLength: 4 }), (start, titles) => {
        const url = `${start}/${titles.join('/')}`;
        expect(isSingleUse(`${url}?page=2`)).toBe(false);
        expect(pageKeys(url).page).toBe(url.replace('user:word@', ''));
      }),
    );
  });

  it('what stands behind an action makes a page good once, however short it is', () => {
    fc.assert(
      fc.property(origin, fc.array(title, { maxLength: 2 }), action, short, fc.boolean(), (start, titles, acts, secret, isQuery) => {
        expect(isSingleUse(`${[start, ...titles, acts].join('/')}${isQuery ? '?' : '/'}${secret}`)).toBe(true);
      }),
    );
  });

  it('nothing random is in the keys of a page, and keys are their own keys', () => {
    const random = fc.stringMatching(/^[\da-f]{16,64}$/).filter((text) => /\d/.test(text));
    const placed = fc.constantFrom((text: string) => `/a/${text}/b`, (text: string) => `/a-${text}`, (text: string) => `/a;sid=${text}`, (text: string) => `/a?b=${text}`, (text: string) => `/a#${text}`);
    fc.assert(
      fc.property(origin, random, placed, (start, secret, place) => {
        const keys = pageKeys(`${start}${place(secret)}`);
        expect(`${keys.page} ${keys.template}`).not.toContain(secret);
        expect(pageKeys(keys.page)).toEqual(keys);
      }),
    );
  });

  it('it is judged in time that grows with its length alone, and without a fault', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (url, junk) => {
        for (const text of [url, url + junk, junk]) expect(typeof isSingleUse(text)).toBe('boolean');
      }),
    );
    // of anything but their length alone the time for these would be that of the whole test, and more
    isSingleUse(`https://a.test/${'aA1-='.repeat(200_000)}?${'a=1&'.repeat(200_000)}`);
    hasSecretQuery(`https://a.test/${'a;'.repeat(500_000)}${'('.repeat(500_000)}?${'a=1&'.repeat(200_000)}`);
    pageKeys(`https://a.test/${'%40'.repeat(200_000)}${'.a'.repeat(200_000)}`);
  });
});
