import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { Address, AddressAnswer } from '../../../shared/src/names/address.ts';
import { race, type Attempt } from '../../../shared/src/names/race.ts';
import { after } from '../../../shared/src/node/after.ts';
import { reasonOf } from '../files.ts';

/** When a host has an IPv4 address already, its IPv6 ones are waited for this much longer (RFC 8305, section 3: Resolution Delay). */
const RESOLUTION_DELAY_MS = 50;
/** c-ares, which Node asks with, does not take an answer that comes later than this, and then asks again, for twice as long. */
const TIMEOUT_MS = 5_000;
const TRIES = 3;
/**
 * Of each resolver. Asked again beside the question before, which may still be answered: its time-out alone would make
 * a lost one cost five seconds.
 */
const ATTEMPTS = 4;
const ATTEMPT_DELAY_MS = 1_000;

/**
 * What a resolver says of a host, and not of itself: no other one is asked (RFC 1035, section 4.1.1: no such name, or
 * none of this kind).
 */
const ANSWERS: ReadonlySet<string> = new Set([NOTFOUND, NODATA]);

interface Record {
  readonly address: string;
  readonly ttl: number;
}

/** Asks the recursive resolvers of a network, over the link. */
export type AskNames = (host: string, family: 4 | 6) => Promise<readonly Record[]>;

/**
 * The first one is asked, and asked again each second; the next only when it is silent or broken, as the system's own
 * resolver does: no other hears of a host that the browser looks up.
 *
 * @param addresses of the system's resolvers, `ADDRESS` or `ADDRESS:PORT`, in its order
 * @param attemptDelayMs after which a question is asked again
 * @param answered told who has
 */
export function nameServers(addresses: readonly string[], attemptDelayMs = ATTEMPT_DELAY_MS, answered: (address: string) => void = () => undefined): AskNames {
  const inTurn = addresses.flatMap((address) => Array<string>(ATTEMPTS).fill(address));
  return async (host, family) => {
    try {
      const { server, said } = await race(inTurn, (address) => attempt(address, host, family), attemptDelayMs, after);
      answered(server);
      if (said.status === 'rejected') throw said.reason;
      return said.value;
    } catch (error) {
      // what the first resolver said, or its time-out when it said nothing
      throw error instanceof AggregateError ? (error.errors[0] ?? error) : error;
    }
  };
}

/** With a resolver of its own: from earlier answers one learns to be impatient, which a link that has filled since is too slow for. */
function attempt(server: string, host: string, family: 4 | 6): Attempt<{ readonly server: string; readonly said: PromiseSettledResult<readonly Record[]> }> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers([server]);
  const question = family === 4 ? resolver.resolve4(host, { ttl: true }) : resolver.resolve6(host, { ttl: true });
  const result = Promise.allSettled([question]).then(([said]) => {
    if (said.status === 'rejected' && !ANSWERS.has(reasonOf(said.reason))) throw said.reason;
    return { server, said };
  });
  return { result, cancel: () => resolver.cancel() };
}

/**
 * The addresses of a host.
 *
 * @param families that this machine has addresses of; the others are not asked for
 * @throws what the resolvers said
 */
export async function askForAddresses(host: string, ask: AskNames, families: ReadonlySet<4 | 6>): Promise<AddressAnswer> {
  const v4 = families.has(4) ? ask(host, 4) : null;
  const v6 = families.has(6) ? ask(host, 6) : null;
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
