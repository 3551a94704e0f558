import { Resolver } from 'node:dns/promises';
import type { Address, AddressAnswer } from './addressCache.ts';
import { race, type Attempt } from './race.ts';

/** When a host has an IPv4 address already, its IPv6 ones are waited for this much longer (RFC 8305, section 3: Resolution Delay). */
const RESOLUTION_DELAY_MS = 50;
/** c-ares, which Node asks with, does not take an answer that comes later than this, and then asks again, for twice as long. */
const TIMEOUT_MS = 5_000;
const TRIES = 3;
/** Asked again beside the question before, which may still be answered: its time-out alone would make a lost one cost five seconds. */
const ATTEMPTS = 4;
const ATTEMPT_DELAY_MS = 1_000;

interface Record {
  readonly address: string;
  readonly ttl: number;
}

/** One recursive resolver, asked over the link. */
export interface NameServer {
  resolve4(host: string): Promise<readonly Record[]>;
  resolve6(host: string): Promise<readonly Record[]>;
}

/**
 * @param addresses of the system's resolvers, `ADDRESS` or `ADDRESS:PORT`
 * @param attemptDelayMs after which a question is asked again
 */
export function nameServers(addresses: readonly string[], attemptDelayMs = ATTEMPT_DELAY_MS): NameServer[] {
  return addresses.map((address) => ({
    resolve4: (host) => askAgain(address, (resolver) => resolver.resolve4(host, { ttl: true }), attemptDelayMs),
    resolve6: (host) => askAgain(address, (resolver) => resolver.resolve6(host, { ttl: true }), attemptDelayMs),
  }));
}

type Question = (resolver: Resolver) => Promise<readonly Record[]>;

/** The first answer, also one that there is no such host. @throws what the resolver said, or its time-out when it said nothing */
async function askAgain(server: string, question: Question, delayMs: number): Promise<readonly Record[]> {
  try {
    return (await race(Array.from({ length: ATTEMPTS }, () => server), (address) => attempt(address, question), { delayMs }))();
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

/** With a resolver of its own: from earlier answers one learns to be impatient, which a link that has filled since is too slow for. */
function attempt(server: string, question: Question): Attempt<() => readonly Record[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers([server]);
  const result = question(resolver).then((records) => () => records, (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ETIMEOUT') throw error;
    return () => {
      throw error;
    };
  });
  return { result, cancel: () => resolver.cancel() };
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
  const v4 = families.has(4) ? server.resolve4(host) : null;
  const v6 = families.has(6) ? server.resolve6(host) : null;
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
