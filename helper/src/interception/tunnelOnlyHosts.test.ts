import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TunnelOnlyHosts } from './tunnelOnlyHosts.ts';

const HOSTS = new TunnelOnlyHosts(['mail.test', 'WWW.Bank.test.', 'a_b.test']);

it.each([
  ['mail.test', true],
  ['MAIL.test', true],
  ['mail.test.', true],
  ['imap.eu.mail.test', true],
  ['www.bank.test', true],
  ['x.a_b.test', true],
  ['notmail.test', false],
  ['bank.test', false],
  ['mail.test.other.test', false],
  ['test', false],
  ['', false],
])('%s: %s', (host, expected) => expect(HOSTS.has(host)).toBe(expected));

it('nobody is meant by none', () => expect(new TunnelOnlyHosts([]).has('')).toBe(false));

it('has what is listed and what is under it, and nothing else', () => {
  const label = fc.stringMatching(/^[a-z\d_-]{1,9}$/);
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), name, (listed, host) => {
      expect(new TunnelOnlyHosts(listed).has(host)).toBe(listed.some((each) => host === each || host.endsWith(`.${each}`)));
    }),
  );
});
