import { NODATA, NOTFOUND } from 'node:dns';
import type { Resolver } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, AddressAnswer } from '../../names/address.ts';
import { reasonOf } from '../reasonOf.ts';

/** When a host has an IPv4 address already, its IPv6 ones are waited for this much longer (RFC 8305, section 3: Resolution Delay). */
const RESOLUTION_DELAY_MS = 50;
/** What a resolver says of a host, and not of itself (RFC 1035, section 4.1.1: no such name, or none of this kind). */
const NONE: ReadonlySet<string> = new Set([NOTFOUND, NODATA]);

interface FoundRecord extends Address {
  readonly ttl: number;
}

/**
 * Asks for the addresses of a host, all families at once.
 *
 * @param families that this machine has addresses of; the others are not asked for
 * @throws what has become of the question where the resolver has not said whether there is an address
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
  const failed = [first, second].find((each) => each.status === 'rejected' && !NONE.has(reasonOf(each.reason)));
  if (records.length === 0 && failed?.status === 'rejected') throw failed.reason;
  return { addresses: records.map(({ address, family }) => ({ address, family })), ttlSeconds: records.length === 0 ? 0 : Math.min(...records.map(({ ttl }) => ttl)) };
}
