import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { isOwnAddress } from './ownAddresses.ts';

const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);

it.each(own.map(({ address }) => address))('%s is of this machine', (address) => expect(isOwnAddress(address)).toBe(true));

it.each(own.filter(({ family }) => family === 'IPv4').map(({ address }) => address))('so is %s as IPv6 carries it', (address) => expect(isOwnAddress(`::ffff:${address}`)).toBe(true));

it.each(['8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'])('%s is not', (address) => expect(isOwnAddress(address)).toBe(false));

it('what is in a network of IPv6 with this machine is its own, too, and no neighbour of an IPv4 address', () => {
  const of = { mac: '', internal: false } as const;
  const interfaces = {
    eth0: [
      { ...of, family: 'IPv6' as const, address: '2a02:8100:1:2::10', netmask: 'ffff:ffff:ffff:ffff::', scopeid: 0, cidr: '2a02:8100:1:2::10/64' },
      { ...of, family: 'IPv4' as const, address: '203.0.112.5', netmask: '255.255.255.0', cidr: '203.0.112.5/24' },
    ],
  };
  const addresses = ['2a02:8100:1:2::10', '2a02:8100:1:2:aaaa::1', '203.0.112.5', '2a02:8100:1:3::10', '203.0.112.6'];
  expect(addresses.map((address) => isOwnAddress(address, interfaces))).toEqual([true, true, true, false, false]);
});
