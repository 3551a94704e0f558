import { isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Addresses of this machine that lead out. */
export function outwardAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.flatMap(({ internal, address }) => (internal || ipaddr.parse(address).range() === 'linkLocal' ? [] : [address]));
}

/** Families of which this machine has an address that leads out; with none, as without a network, both. */
export function ownFamilies(): ReadonlySet<4 | 6> {
  const families = new Set(outwardAddresses().map((address): 4 | 6 => (isIPv6(address) ? 6 : 4)));
  return families.size > 0 ? families : new Set([4, 6]);
}
