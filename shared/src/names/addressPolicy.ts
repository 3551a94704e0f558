import ipaddr from 'ipaddr.js';
import { familyOf } from './address.ts';

/** From where an address can be reached (Local Network Access, section 2.1). */
export type AddressSpace = 'loopback' | 'local' | 'public';

/** Global unicast is 2000::/3 (RFC 4291, section 2.4; IANA gives out nothing else). */
const GLOBAL_UNICAST_PREFIX = 0b001;

/**
 * Of the public ranges, and no network's but a cloud's own: to each of its machines Azure answers there, with what it keeps for that machine (Microsoft Learn, "What is IP address 168.63.129.16?").
 * Those of other clouds are link-local, private or shared.
 */
const OF_CLOUDS: ReadonlySet<string> = new Set(['168.63.129.16']);

/**
 * The space of an address. An IPv6 address that stands for an IPv4 one (mapped, NAT64, 6to4) is judged as that one;
 * whatever is neither public nor this machine is local: private, link-local,
 * shared, multicast, reserved (IANA special-purpose registries, RFC 6890), and text that is no address.
 */
export function addressSpaceOf(address: string): AddressSpace {
  if (familyOf(address) === null) return 'local';
  const parsed = embeddedIPv4(ipaddr.parse(address));
  const range = parsed.range();
  // an unspecified one connects to this machine
  if (range === 'loopback' || range === 'unspecified') return 'loopback';
  const isGlobal = parsed instanceof ipaddr.IPv4 || (parsed.parts[0] ?? 0) >> 13 === GLOBAL_UNICAST_PREFIX;
  return range === 'unicast' && isGlobal && !OF_CLOUDS.has(parsed.toString()) ? 'public' : 'local';
}

/** Whether helper or relay may connect to an address. */
export type IsPublic = (address: string) => boolean;

/** Whether an address is of the public web. What ships knows no other rule. */
export function isPublicAddress(address: string): boolean {
  return addressSpaceOf(address) === 'public';
}

/**
 * The same, and addresses of some networks: of a test bed, which no route leads to.
 *
 * @param networks in CIDR notation, parted by commas
 * @throws Error for what is no network: a benchmark must not measure something else unawares
 */
export function publicWith(networks: string): IsPublic {
  const own = networks.split(',').filter((network) => network !== '').map((network) => ipaddr.parseCIDR(network));
  const isOwn = (address: string): boolean => {
    if (familyOf(address) === null) return false;
    const parsed = ipaddr.process(address);
    return own.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
  return (address) => isPublicAddress(address) || isOwn(address);
}

function embeddedIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  const [range, bytes] = [address.range(), address.toByteArray()];
  if (range === 'ipv4Mapped') return address.toIPv4Address();
  // the well-known prefix 64:ff9b::/96 alone (RFC 6052); that of a network's own (RFC 8215) is the network's
  if (range === 'rfc6052' && address.parts[2] === 0) return new ipaddr.IPv4(bytes.slice(12));
  // 2002:V4ADDR::/48 (RFC 3056, section 2)
  return range === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : address;
}
