import { describe, expect, it } from 'vitest';
import { RefusedHosts } from './refusedHosts.ts';

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const PAGE = ['Sec-Fetch-Dest', 'document'];
const IMAGE = ['Sec-Fetch-Dest', 'image'];

describe('an answer', () => {
  it.each([
    ['a challenge of Cloudflare', IMAGE, 403, ['CF-Mitigated', 'challenge'], 29],
    ['a challenge of Amazon', IMAGE, 202, ['x-amzn-waf-action', 'challenge'], 29],
    ['a captcha of Amazon', IMAGE, 405, ['x-amzn-waf-action', 'captcha'], 29],
    ['a refusal by Akamai', IMAGE, 403, ['server', 'AkamaiGHost'], 29],
    ['a page that is refused', PAGE, 403, [], 0.9],
    ['a page that too many ask for', PAGE, 429, [], 0.9],
    ['a page that is not for this country', PAGE, 451, [], 0.9],
  ])('%s sends its host the direct way', (_, request, status, response, days) => {
    const hosts = new RefusedHosts();
    expect(hosts.answered('a.test', request, status, response, NOW)).toBe(true);
    expect([hosts.has('a.test', NOW + days * DAY_MS), hosts.has('a.test', NOW + (days + 2) * DAY_MS), hosts.has('www.a.test', NOW)]).toEqual([true, false, false]);
  });

  it.each([
    ['an image that is not there for anybody', IMAGE, 403, []],
    ['a page of Cloudflare', PAGE, 200, ['server', 'cloudflare']],
    ['a page that DataDome has let pass', PAGE, 200, ['x-datadome', 'protected']],
    ['a page of Akamai', PAGE, 200, ['server', 'AkamaiGHost']],
    ['a page that is not there', PAGE, 404, []],
    ['an error', PAGE, 503, []],
  ])('%s does not', (_, request, status, response) => {
    const hosts = new RefusedHosts();
    expect([hosts.answered('a.test', request, status, response, NOW), hosts.has('a.test', NOW)]).toEqual([false, false]);
  });
});

describe('what the relay can not do', () => {
  it.each([['E_RELAY_LIMIT', 9_000, 11_000], ['E_CONNECT', 590_000, 610_000], ['E_UPSTREAM_TLS', 590_000, 610_000]] as const)('%s is tried again after a while', (code, before, after) => {
    const hosts = new RefusedHosts();
    hosts.failed('a.test', code, NOW);
    expect([hosts.has('a.test', NOW + before), hosts.has('a.test', NOW + after)]).toEqual([true, false]);
  });

  it('takes nothing from what is known already', () => {
    const hosts = new RefusedHosts();
    hosts.answered('a.test', PAGE, 403, [], NOW);
    hosts.failed('a.test', 'E_RELAY_LIMIT', NOW);
    expect(hosts.has('a.test', NOW + DAY_MS / 2)).toBe(true);
  });
});

it('is remembered over a restart, but for what passes soon', () => {
  const hosts = new RefusedHosts();
  hosts.answered('a.test', PAGE, 403, [], NOW);
  hosts.failed('b.test', 'E_CONNECT', NOW);
  const again = new RefusedHosts(hosts.remembered(NOW));
  expect([again.has('a.test', NOW + 1), again.has('b.test', NOW + 1)]).toEqual([true, false]);
});
