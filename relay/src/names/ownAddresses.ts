import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import { familyOf } from '../../../shared/src/names/address.ts';

/** Whether an address is one of this machine's: a firewall lets it reach itself by its public address too, as it lets nobody else. */
export function isOwnAddress(address: string): boolean {
  const own = new BlockList();
  for (const { address: each, family } of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) own.addAddress(each, family === 'IPv6' ? 'ipv6' : 'ipv4');
  return own.check(address, familyOf(address) === 6 ? 'ipv6' : 'ipv4');
}
