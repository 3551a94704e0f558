import fc from 'fast-check';
import { expect, it } from 'vitest';
import { coveringHost } from './coveringHost.ts';

const HOSTS = { 'a.test': true, 'deep.b.a.test': true, '[::1]': true };

it.each([
  ['a.test', 'a.test'],
  ['www.a.test', 'a.test'],
  ['c.b.a.test', 'a.test'],
  ['x.deep.b.a.test', 'deep.b.a.test'],
  ['[::1]', '[::1]'],
  ['test', null],
  ['ba.test', null],
  ['a.test.com', null],
  ['constructor', null],
  ['__proto__', null],
  ['', null],
])('%s is covered by %s', (host, expected) => expect(coveringHost(host, HOSTS)).toBe(expected));

it('any text is covered by itself and by what follows one of its dots, and by nothing else', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 1, maxLength: 5 }), fc.nat(4), fc.stringMatching(/^[a-z.]{1,8}$/), (labels, cut, other) => {
      const host = labels.join('.');
      const above = labels.slice(Math.min(cut, labels.length - 1)).join('.');
      expect(coveringHost(host, { [above]: true })).toBe(above);
      expect(coveringHost(host, { [other]: true })).toBe(host === other || host.endsWith(`.${other}`) ? other : null);
    }),
  );
});
