import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressSpaceOf, isPublicAddress, publicWith, type AddressSpace } from './addressPolicy.ts';

const TABLE: readonly (readonly [AddressSpace, readonly string[]])[] = [
  ['public', ['8.8.8.8', '1.1.1.1', '168.63.129.17', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1']],
  ['loopback', ['127.0.0.1', '127.255.0.9', '0.0.0.0', '0.1.2.3', '::1', '::', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::']],
  [
    'local',
    [
      '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '168.63.129.16', '::ffff:a83f:8110',
      'fe80::1', 'fe80::1%eth0', 'fd00::1', 'fec0::1', 'ff02::1', '2001:db8::1', '2001::1', '100::1', '::a00:1', '4000::1',
      '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '64:ff9b::a00:1', '64:ff9b:1::808:808', '2002:a00:1::', 'a.test', '', '010.0.0.1', '8.8.2056', '0x8.8.8.8', '::ffff:8.8.8.010', '::ffff:0x8.8.8.8', '[::1]',
    ],
  ],
];

describe('the space of an address', () => {
  it.each(TABLE.flatMap(([space, addresses]) => addresses.map((address) => [address, space] as const)))('%s is %s', (address, space) => {
    expect(addressSpaceOf(address)).toBe(space);
  });

  it('of an IPv4 address is the same however IPv6 carries it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = '', b = '', c = '', d = ''] = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
        const hex = `${a}${b}:${c}${d}`;
        for (const carried of [`::ffff:${address}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) expect(addressSpaceOf(carried)).toBe(addressSpaceOf(address));
      }),
    );
  });
});

it('is public only on the public web', () => {
  expect(TABLE.flatMap(([, addresses]) => addresses).filter(isPublicAddress)).toEqual(TABLE[0]?.[1]);
});

describe('networks that count as public for a benchmark', () => {
  it('do so, and no others', () => {
    const isPublic = publicWith('10.100.0.0/16,fd12::/64');
    const addresses = ['10.100.255.1', '::ffff:10.100.0.1', 'fd12::1', '8.8.8.8', '10.101.0.1', 'fd13::1', '127.0.0.1', 'a.test'];
    expect(addresses.filter(isPublic)).toEqual(addresses.slice(0, 4));
  });

  it('are none by default', () => expect(publicWith('')('10.100.0.1')).toBe(false));

  it.each(['10.100.0.0', 'a.test/8', '10.0.0.0/40'])('can not be %s', (network) => {
    expect(() => publicWith(network)).toThrow();
  });
});
