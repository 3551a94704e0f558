import { Resolver } from 'node:dns/promises';
import type { Address, AddressAnswer } from './addressCache.ts';

/** When a host has an IPv4 address already, its IPv6 ones are waited for this much longer (RFC 8305, section 3: Resolution Delay). */
const RESOLUTION_DELAY_MS = 50;
const TIMEOUT_MS = 5_000;
const TRIES = 3;

/** One recursive resolver, asked over the link. */
export type NameServer = Pick<Resolver, 'resolve4' | 'resolve6'>;

/** @param addresses of the system's resolvers, `ADDRESS` or `ADDRESS:PORT` */
export function nameServers(addresses: readonly string[]): NameServer[] {
  return addresses.map((address) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
    resolver.setServers([address]);
    return resolver;
  });
}

/**
 * Asks all resolvers at once and takes the first that knows the host: on a lossy link a lost question costs a time-out of seconds, and mostly one only.
 *
 * @param families that this machine has addresses of; the others are not asked for
 * @throws AggregateError of what each resolver said
 */
export function askAll(host: string, servers: readonly NameServer[], families: ReadonlySet<4 | 6>): Promise<AddressAnswer> {
  return Promise.any(servers.map((server) => ask(host, server, families)));
}

async function ask(host: string, server: NameServer, families: ReadonlySet<4 | 6>): Promise<AddressAnswer> {
  const v4 = families.has(4) ? server.resolve4(host, { ttl: true }) : null;
  const v6 = families.has(6) ? server.resolve6(host, { ttl: true }) : null;
  if (v6 === null || v4 === null) return answerOf([[v6 === null ? 4 : 6, await (v4 ?? v6 ?? Promise.reject(new Error('no family of addresses')))]]);
  // settled is waited for, so that the failure of one is no unhandled rejection
  const both = Promise.allSettled([v4, v6]);
  const first = await Promise.race([both, v4.then(() => new Promise<'late'>((resolve) => setTimeout(() => resolve('late'), RESOLUTION_DELAY_MS)), () => both)]);
  if (first === 'late') return answerOf([[4, await v4]]);
  const [four, six] = first;
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
  return answerOf([
    ...(six.status === 'fulfilled' ? [[6, six.value] as const] : []),
    ...(four.status === 'fulfilled' ? [[4, four.value] as const] : []),
  ]);
}

function answerOf(records: readonly (readonly [4 | 6, readonly { readonly address: string; readonly ttl: number }[]])[]): AddressAnswer {
  const addresses = records.flatMap(([family, list]) => list.map(({ address }): Address => ({ address, family })));
  return { addresses, ttlSeconds: Math.min(...records.flatMap(([, list]) => list.map(({ ttl }) => ttl))) };
}
