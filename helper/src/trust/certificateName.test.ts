import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCertificateName } from './certificateName.ts';

describe('parseCertificateName', () => {
  it.each([
    ['Example.COM', 'dns', 'example.com'],
    ['example.com.', 'dns', 'example.com'],
    ['bücher.de', 'dns', 'xn--bcher-kva.de'],
    ['xn--bcher-kva.de', 'dns', 'xn--bcher-kva.de'],
    ['a_b.example.com', 'dns', 'a_b.example.com'],
    ['localhost', 'dns', 'localhost'],
    ['192.0.2.1', 'ip', '192.0.2.1'],
    ['[2001:DB8:0::1]', 'ip', '2001:db8::1'],
    ['2001:db8::1', 'ip', '2001:db8::1'],
  ])('reads %s', (host, type, value) => {
    expect(parseCertificateName(host)).toEqual({ type, value });
  });

  it.each(['', '.', '*.example.com', 'a..b', '-a.com', 'a-.com', 'a b.com', 'a/b', 'a／b', 'a？b', 'a%41.com', 'a:1', 'a@b', '1.2.3', '0x7f.1', 'fe80::1%eth0', '[1.2.3.4', `${'a'.repeat(64)}.com`, 'a.'.repeat(127) + 'com', 'a\0b.com', 'a,DNS:b.com'])('refuses %j', (host) => {
    expect(parseCertificateName(host)).toBeNull();
  });

  it('gives a name that it reads as the same again', () => {
    const host = fc.oneof(fc.string(), fc.domain(), fc.ipV4(), fc.ipV6(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(host, (text) => {
        const name = parseCertificateName(text);
        if (name !== null) expect(parseCertificateName(name.value)).toEqual(name);
      }),
    );
  });
});
