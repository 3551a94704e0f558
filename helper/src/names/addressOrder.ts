import type { Address } from './address.ts';

/** The order in which addresses are tried (RFC 8305, section 4): the families by turns, IPv6 first, each in the order of its answer. */
export function interleaveFamilies(addresses: readonly Address[]): Address[] {
  const v6 = addresses.filter(({ family }) => family === 6);
  const v4 = addresses.filter(({ family }) => family === 4);
  const order: Address[] = [];
  for (let i = 0; i < Math.max(v6.length, v4.length); i += 1) {
    for (const address of [v6[i], v4[i]]) if (address !== undefined) order.push(address);
  }
  return order;
}
