import { BlockList, isIPv6, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { NEAR_MS } from '../../../shared/src/estimation/link.ts';
import { addressSpaceOf, type IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import { isTunnel } from '../networks/systemNetwork.ts';

/** Where a relay is: on this machine, be it that one of its ports leads on to it (`ssh -L`); in the network that this machine is in; or beyond the access link. */
export type RelayPlace = 'machine' | 'network' | 'beyond';

/** By both ends of a connection to it. What a tunnel of this machine leads to (VPN) is beyond the link, whatever its address is. */
export function placeOf({ remoteAddress = '', localAddress }: Pick<Socket, 'remoteAddress' | 'localAddress'>, isPublic: IsPublic, interfaces = networkInterfaces()): RelayPlace {
  const own = Object.values(interfaces).flatMap((list) => list ?? []);
  if (own.some((each) => each.address === localAddress && isTunnel(each))) return 'beyond';
  if (!isPublic(remoteAddress)) return addressSpaceOf(remoteAddress) === 'loopback' ? 'machine' : 'network';
  if (!isIPv6(remoteAddress)) return 'beyond';
  // the machines of a home have public addresses there
  const near = new BlockList();
  for (const each of own) if (each.family === 'IPv6' && !isTunnel(each)) near.addSubnet(each.address, Number(each.cidr?.split('/')[1] ?? ADDRESS_BITS), 'ipv6');
  return near.check(remoteAddress, 'ipv6') ? 'network' : 'beyond';
}

/** Of IPv6. */
const ADDRESS_BITS = 128;

/**
 * Whether the way to a relay may lead over the access link, so that its round trips tell of that. One that is so short, to a relay on this side, is that of a cable or a radio in the house. A longer one leads
 * further than addresses tell.
 */
export function tellsOfLink(place: RelayPlace, rttMs: number): boolean {
  return place === 'beyond' || rttMs > NEAR_MS;
}

/** Whether a relay may gain. From within the network servers are as far as from here, and in the access link's queue, which lies beyond it, it has no say. */
export function mayGain(place: RelayPlace, rttMs: number): boolean {
  return place !== 'network' || rttMs > NEAR_MS;
}
