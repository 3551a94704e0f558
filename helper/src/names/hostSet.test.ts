import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HostSet } from './hostSet.ts';

const HOSTS = new HostSet(['mail.test', 'WWW.Bank.test.', 'a_b.test']);

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

it('nobody is meant by none', () => expect(new HostSet([]).has('')).toBe(false));

it('names the nearest one that has a host', () => {
  const hosts = new HostSet(['a.test', 'b.A.test.']);
  expect(['c.b.a.test', 'c.a.test', 'test'].map((host) => hosts.covering(host))).toEqual(['b.a.test', 'a.test', null]);
});

it('has what is listed and what is under it, and nothing else', () => {
  const label = fc.stringMatching(/^[a-z\d_-]{1,9}$/);
  const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 5 }), name, (listed, host) => {
      expect(new HostSet(listed).has(host)).toBe(listed.some((each) => host === each || host.endsWith(`.${each}`)));
    }),
  );
});
