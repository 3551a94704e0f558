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

it('a refusal takes nothing from a challenge', () => {
  const hosts = new RefusedHosts();
  hosts.answered('a.test', PAGE, 403, ['cf-mitigated', 'challenge'], NOW);
  hosts.answered('a.test', PAGE, 403, [], NOW);
  expect(hosts.has('a.test', NOW + 20 * DAY_MS)).toBe(true);
});
