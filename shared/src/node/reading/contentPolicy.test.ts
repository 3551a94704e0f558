import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContentPolicies, type PolicyRequest } from './contentPolicy.ts';

const PAGE = 'https://a.test/page';
const ask = (policies: readonly string[], url: string, kind: PolicyRequest['kind'] = 'image', nonce = '', page = PAGE): boolean => new ContentPolicies(page, policies).allows({ url, kind, nonce });

describe('sources', () => {
  it.each([
    ["'none'", 'https://a.test/x', false],
    ['', 'https://a.test/x', false],
    ['*', 'https://b.test:8443/x', true],
    ["'self'", 'https://a.test/x', true],
    ["'SELF'", 'https://a.test/x', true],
    ["'self'", 'https://a.test:8443/x', false],
    ["'self'", 'https://b.a.test/x', false],
    ['https:', 'https://b.test/x', true],
    ['HTTP:', 'https://b.test/x', true],
    ['data: blob:', 'https://a.test/x', false],
    ['b.test', 'https://b.test/x', true],
    ['B.test', 'https://b.test/x', true],
    ['b.test', 'https://c.b.test/x', false],
    ['b.test', 'https://b.test:8443/x', false],
    ['b.test:8443', 'https://b.test:8443/x', true],
    ['b.test:443', 'https://b.test/x', true],
    ['b.test:80', 'https://b.test/x', false],
    ['b.test:*', 'https://b.test:1/x', true],
    ['*.b.test', 'https://c.d.b.test/x', true],
    ['*.b.test', 'https://b.test/x', false],
    ['*.b.test', 'https://nob.test/x', false],
    ['https://*', 'https://b.test/x', true],
    ['http://b.test', 'https://b.test/x', true],
    ['ftp://b.test', 'https://b.test/x', false],
    ['b.test/img/', 'https://b.test/img/x.png', true],
    ['b.test/img/', 'https://b.test/img', false],
    ['b.test/img', 'https://b.test/img/x.png', false],
    ['b.test/img', 'https://b.test/img?q', true],
    ['b.test/', 'https://b.test/x/y', true],
    ['b.test/%69mg', 'https://b.test/img', true],
    ['b.test/%', 'https://b.test/%', false],
    ['b.test/a?b', 'https://b.test/a?b', false],
    ['192.0.2.1', 'https://192.0.2.1/x', false],
    ['127.0.0.1', 'https://127.0.0.1/x', true],
    ["'sha256-x' 'unsafe-inline' 'nonce-n'", 'https://a.test/x', false],
  ])('img-src %s for %s: %s', (sources, url, expected) => expect(ask([`img-src ${sources}`], url)).toBe(expected));

  it('of a page in clear also mean the secure scheme, at the usual ports', () => {
    const from = (page: string, source: string, url: string): boolean => ask([`img-src ${source}`], url, 'image', '', page);
    expect([
      from('http://a.test/', "'self'", 'https://a.test/x'), from('http://a.test:81/', "'self'", 'https://a.test/x'), from('http://a.test/', 'b.test', 'http://b.test/x'), from('https://a.test/', 'b.test', 'http://b.test/x'),
    ]).toEqual([true, false, true, false]);
  });
});

describe('directives', () => {
  it.each([
    ['image', "img-src 'self'; default-src 'none'", true],
    ['image', "default-src 'self'", true],
    ['image', "default-src 'none'", false],
    ['image', "script-src 'none'; frame-ancestors 'none'", true],
    ['image', "img-src 'none'; img-src *", false],
    ['image', 'IMG-SRC *', true],
    ['font', "font-src 'none'; default-src *", false],
    ['style', "style-src 'none'; style-src-elem *", true],
    ['style', "style-src-elem 'none'; style-src *", false],
    ['style', "style-src 'none'", false],
    ['script', "script-src 'none'; script-src-elem *", true],
    ['module', "script-src 'none'", false],
    ['script', "script-src-attr 'none'", true],
  ] as const)('%s under %s: %s', (kind, policy, expected) => expect(ask([policy], 'https://a.test/x', kind)).toBe(expected));

  it.each([
    ['script', "'nonce-n'", 'n', true],
    ['script', "'nonce-n'", 'm', false],
    ['script', "'nonce-N'", 'n', false],
    ['style', "'nonce-n'", 'n', true],
    ['image', "'nonce-n'", 'n', false],
    ['script', "'nonce-n'", '', false],
    ['script', "'nonce-'", '', false],
    ['script', "* 'strict-dynamic'", '', false],
    ['module', "* 'strict-dynamic' 'nonce-n'", 'n', true],
    ['style', "* 'strict-dynamic'", '', true],
  ] as const)('%s under default-src %s with the nonce "%s": %s', (kind, sources, nonce, expected) => {
    expect(ask([`default-src ${sources}`], 'https://a.test/x', kind, nonce)).toBe(expected);
  });

  it('every policy has to allow, in one field, in several, and of a meta', () => {
    expect([ask(['img-src *, img-src b.test'], 'https://a.test/x'), ask(['img-src *', 'img-src b.test'], 'https://a.test/x'), ask(['img-src *', 'img-src a.test'], 'https://a.test/x')]).toEqual([false, false, true]);
    const policies = new ContentPolicies(PAGE);
    const request = { url: 'https://a.test/x', kind: 'image', nonce: '' } as const;
    expect(policies.allows(request)).toBe(true);
    policies.add('img-src b.test, a.test');
    expect(policies.allows(request)).toBe(true);
    policies.add('img-src b.test');
    expect(policies.allows(request)).toBe(false);
  });

  it('under a sandbox, or more policies than are read, nothing is certain', () => {
    expect([ask(['sandbox allow-scripts'], 'https://a.test/x'), ask(Array<string>(17).fill('img-src *'), 'https://a.test/x'), ask([`img-src * ${'x'.repeat(20_000)}`], 'https://a.test/x'), ask([`img-src * ${'x '.repeat(2_000)}`], 'https://a.test/x')]).toEqual([false, false, false, false]);
  });
});

describe('upgrades', () => {
  it.each([
    ['https://a.test/', [], 'http://b.test/x', 'image', 'https://b.test/x'],
    ['https://a.test/', [], 'http://b.test:8080/x', 'image', 'https://b.test:8080/x'],
    ['https://a.test/', [], 'http://192.0.2.1/x', 'image', null],
    ['https://a.test/', [], 'http://b.test/x', 'script', null],
    ['https://a.test/', ['block-all-mixed-content'], 'http://b.test/x', 'image', null],
    ['https://a.test/', ['upgrade-insecure-requests'], 'http://b.test/x', 'script', 'https://b.test/x'],
    ['https://a.test/', ['upgrade-insecure-requests; block-all-mixed-content'], 'http://b.test/x', 'image', 'https://b.test/x'],
    ['http://a.test/', ['upgrade-insecure-requests'], 'http://a.test/x', 'image', 'https://a.test/x'],
    ['http://a.test/', [], 'http://b.test/x', 'script', 'http://b.test/x'],
    ['http://a.test/', [], 'https://b.test/x', 'script', 'https://b.test/x'],
  ] as const)('a page at %s with %j asks for %s as %s at %s', (page, policies, url, kind, expected) => expect(new ContentPolicies(page, policies).upgraded(url, kind)).toBe(expected));
});

it('takes any policy', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('img-src', 'default-src', "'self'", '*.', ';', ',', ' ', '://', ':*', '/%', "'nonce-"));
  fc.assert(fc.property(fc.array(part, { maxLength: 30 }), (parts) => void ask([parts.join('')], 'https://b.test/x')));
});
