import { BlockList, isIP } from 'node:net';
import type { CertificateName } from './certificateName.ts';

/** Names that no authority of the web certifies, since they mean something else in each network: RFC 6761, 6762 (.local), 8375 (home.arpa), 7686 (.onion), ICANN 2024 (.internal), and what routers have made up. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'onion', 'lan', 'home', 'corp', 'intranet', 'private', 'localdomain', 'fritz.box'];

/** IANA special-purpose address registries (RFC 6890): this network, private, shared, loopback, link-local, unique local, multicast and what is above. */
const PRIVATE_SUBNETS = [
  ['0.0.0.0', 8, 'ipv4'], ['10.0.0.0', 8, 'ipv4'], ['100.64.0.0', 10, 'ipv4'], ['127.0.0.0', 8, 'ipv4'], ['169.254.0.0', 16, 'ipv4'], ['172.16.0.0', 12, 'ipv4'], ['192.168.0.0', 16, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'], ['::', 127, 'ipv6'], ['fc00::', 7, 'ipv6'], ['fe80::', 10, 'ipv6'], ['fec0::', 10, 'ipv6'], ['ff00::', 8, 'ipv6'],
] as const;

const PRIVATE_ADDRESSES = new BlockList();
for (const [network, prefixBits, family] of PRIVATE_SUBNETS) PRIVATE_ADDRESSES.addSubnet(network, prefixBits, family);

/** Whether a host is of this machine or its own network: a device there has a certificate that only its owner can judge, and it is near anyway. */
export function isPrivateHost({ type, value }: CertificateName): boolean {
  if (type === 'ip') return PRIVATE_ADDRESSES.check(value, isIP(value) === 6 ? 'ipv6' : 'ipv4');
  return !value.includes('.') || PRIVATE_SUFFIXES.some((suffix) => value.endsWith(`.${suffix}`));
}
