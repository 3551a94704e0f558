import type { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, AddressAnswer } from '../../names/address.ts';

/** When a host has an IPv4 address already, its IPv6 ones are waited for this much longer (RFC 8305, section 3: Resolution Delay). */
const RESOLUTION_DELAY_MS = 50;

interface FoundRecord extends Address {
  readonly ttl: number;
}

/**
 * Asks for the addresses of a host, all families at once.
 *
 * @param families that this machine has addresses of; the others are not asked for
 * @throws what the resolver says when it knows no address
 */
export async function askResolver(host: string, resolver: Resolver, families: ReadonlySet<4 | 6>): Promise<AddressAnswer> {
  const ask = async (family: 4 | 6): Promise<readonly FoundRecord[]> => {
    if (!families.has(family)) return [];
    const records = family === 4 ? await resolver.resolve4(host, { ttl: true }) : await resolver.resolve6(host, { ttl: true });
    return records.map(({ address, ttl }) => ({ address, ttl, family }));
  };
  const [v4, v6] = [ask(4), ask(6)];
  const late = v4.then(async (records) => (records.length === 0 ? v6 : sleep(RESOLUTION_DELAY_MS, [] as readonly FoundRecord[])), () => v6);
  const [first, second] = await Promise.allSettled([v4, Promise.race([v6, late])]);
  const records = [first, second].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (records.length === 0 && first.status === 'rejected') throw first.reason;
  if (records.length === 0 && second.status === 'rejected') throw second.reason;
  return { addresses: records.map(({ address, family }) => ({ address, family })), ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
}
