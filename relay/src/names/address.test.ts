import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { familyOf } from '../../../shared/src/names/address.ts';

it.each([
  ['192.0.2.1', 4],
  ['2001:db8::1', 6],
  ['::ffff:192.0.2.1', 6],
  ['fe80::1%eth0', 6],
  ['a.test', null],
  ['127.1', null],
  ['0x7f.0.0.1', null],
  ['010.0.0.1', null],
  ['::ffff:010.0.0.1', null],
  ['[::1]', null],
  ['', null],
])('the family of "%s" is %s', (text, family) => expect(familyOf(text)).toBe(family));

it('is only of what Node takes for an address too, so that no name goes for one', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4Extended(), fc.ipV6(), fc.stringMatching(/^(2001:|::ffff:|8\.)[\da-fx:.%]{0,20}$/)), (text) => {
      if (familyOf(text) !== null) expect(familyOf(text)).toBe(isIP(text));
    }),
    { numRuns: 2_000 },
  );
});

it('is told of every address as systems write them', () => {
  fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
    expect(familyOf(text)).toBe(isIP(text));
  }));
});
