import { BlockList } from 'node:net';
import { networkInterfaces } from 'node:os';
import { familyOf } from '../../../shared/src/names/address.ts';

/** Of IPv6. */
const ADDRESS_BITS = 128;

/**
 * Whether an address is one of this machine's, or of its networks of IPv6: what is there lets this machine in, as it lets nobody else. A home has such addresses within its own walls, so that they are as private
 * as 192.168.0.0/16 is. Neighbours of a public IPv4 address are strangers.
 */
export function isOwnAddress(address: string, interfaces = networkInterfaces()): boolean {
  const own = new BlockList();
  for (const { address: each, family, cidr } of Object.values(interfaces).flatMap((list) => list ?? [])) {
    if (family === 'IPv4') own.addAddress(each, 'ipv4');
    else own.addSubnet(each, Number(cidr?.split('/')[1] ?? ADDRESS_BITS), 'ipv6');
  }
  return own.check(address, familyOf(address) === 6 ? 'ipv6' : 'ipv4');
}
