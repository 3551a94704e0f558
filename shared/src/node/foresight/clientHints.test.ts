import { describe, expect, it } from 'vitest';
import { asksForHints, delegatesHints, ownHints } from './clientHints.ts';
import { predictedHeaders } from './predictedHeaders.ts';

const BY_DEFAULT = ['sec-ch-ua', '"Chromium";v="156"', 'sec-ch-ua-mobile', '?0', 'sec-ch-ua-platform', '"Linux"'];
/** As recorded of Chromium 156 at a second visit, to a server that has asked for all hints there are. */
const ASKED_FOR = [
  'device-memory', '16', 'sec-ch-device-memory', '16', 'dpr', '1', 'sec-ch-dpr', '1', 'viewport-width', '1280', 'sec-ch-viewport-width', '1280', 'sec-ch-viewport-height', '720', 'rtt', '100', 'downlink', '1.7', 'ect', '4g',
  'sec-ch-ua-arch', '"x86"', 'sec-ch-ua-model', '""', 'sec-ch-ua-full-version-list', '"Chromium";v="156.0.8078.108"', 'sec-ch-ua-form-factors', '"Desktop"', 'sec-ch-prefers-color-scheme', 'light', 'sec-ch-prefers-reduced-motion', 'no-preference',
];
const names = (fields: readonly string[]): string[] => fields.filter((_, place) => place % 2 === 0);

describe('asksForHints', () => {
  it.each([
    ['none', [], false],
    ['what every server is told', ['Accept-CH', 'Sec-CH-UA, sec-ch-ua-mobile'], false],
    ['another one', ['Accept-CH', 'sec-ch-ua, Sec-CH-UA-Model'], true],
    ['another one in a second field', ['Accept-CH', 'sec-ch-ua', 'accept-ch', 'DPR'], true],
    ['what no browser knows', ['Accept-CH', 'Sec-CH-Mood'], false],
    ['how wide images will be', ['Accept-CH', 'Width'], false],
    ['more than there is', ['Accept-CH', ','.repeat(20_000)], true],
  ])('%s', (_, answer, expected) => expect(asksForHints(BY_DEFAULT, answer, false)).toBe(expected));

  it('how wide images will be, for an image', () => expect(asksForHints(BY_DEFAULT, ['Accept-CH', 'Width'], true)).toBe(true));

  it('is not true of what the request for the page had', () => {
    expect(asksForHints([...BY_DEFAULT, ...ASKED_FOR], ['Accept-CH', names(ASKED_FOR).join()], true)).toBe(false);
  });
});

describe('delegatesHints', () => {
  // as seen of Chromium 156
  it.each<[string, string, own: boolean, others: boolean]>([
    ['says nothing of hints', 'geolocation=(), interest-cohort=()', false, false],
    ['gives one to all', 'geolocation=(), ch-ua-arch=*, ch-ua-model=*', false, true],
    ['gives one to another server', 'ch-dpr=(self "https://b.test")', false, true],
    ['gives one to its own server alone', 'ch-dpr=self', false, true],
    ['gives one to nobody', 'CH-UA=()', true, true],
    ['gives one to another server alone', 'camera=*,ch-dpr=("https://b.test")', true, true],
  ])('where a policy %s', (_, policy, own, others) => {
    const answer = ['Permissions-Policy', 'camera=()', 'permissions-policy', policy];
    expect([false, true].map((isCrossOrigin) => delegatesHints(answer, isCrossOrigin))).toEqual([own, others]);
  });

  it('is told in time for each object however a policy is made, and of one that is too long all may be so', () => {
    const startMs = performance.now();
    for (const [bytes, own] of [[16_000, false], [256_000, true]] as const) for (let objects = 0; objects < 100; objects += 1) expect(delegatesHints(['Permissions-Policy', 'ch-a=(self,'.repeat(bytes / 11)], false)).toBe(own);
    expect(performance.now() - startMs).toBeLessThan(500);
  });
});

it('the hints of the page\'s own server are all that its request had besides those for everybody', () => {
  expect(ownHints(['Host', 'a.test', ...BY_DEFAULT, ...ASKED_FOR, 'Sec-CH-New', '1'])).toEqual([...names(ASKED_FOR), 'sec-ch-new']);
});

describe('what Chromium says to the page\'s own server', () => {
  const USER = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36', 'Accept', 'text/html,*/*;q=0.8', 'Sec-Fetch-Site', 'none', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document'];
  const fields = (url: string, request: readonly string[], answer: readonly string[]): string[] | null => {
    const target = { url, kind: 'style', mode: { credentials: 'include', cors: false }, referrer: 'https://a.test/', referrerPolicy: null } as const;
    return predictedHeaders({ url: 'https://a.test/', request: [...BY_DEFAULT, ...request, ...USER], answer }, target, 0, null);
  };

  it('has all hints that its page had, once it has asked for them', () => {
    expect(names(fields('https://a.test/s.css', ASKED_FOR, ['Accept-CH', names(ASKED_FOR).join()]) ?? [])).toEqual(expect.arrayContaining(names(ASKED_FOR)));
  });

  it('can not be told when it asks for more', () => expect(fields('https://a.test/s.css', [], ['Accept-CH', 'DPR'])).toBeNull());

  it('can not be told when a policy says who is given which', () => {
    expect(['https://a.test/s.css', 'https://b.example/s.css'].map((url) => fields(url, [], ['Permissions-Policy', 'ch-ua-arch=*']) === null)).toEqual([false, true]);
    expect(fields('https://a.test/s.css', [], ['Permissions-Policy', 'ch-ua=()'])).toBeNull();
  });

  it('is no matter of other servers', () => {
    const others = fields('https://b.example/s.css', ASKED_FOR, ['Accept-CH', 'Sec-CH-UA-Bitness']);
    expect(names(others ?? []).filter((name) => /^(?:sec-ch-|dpr|rtt)/.test(name))).toEqual(['sec-ch-ua-platform', 'sec-ch-ua', 'sec-ch-ua-mobile']);
  });
});
