import { Resolver } from 'node:dns/promises';
import type { AddressAnswer } from '../../../shared/src/names/address.ts';
import { attemptDelayMs, race, type Attempt } from '../../../shared/src/names/race.ts';
import { after } from '../../../shared/src/node/after.ts';
import { askResolver } from '../../../shared/src/node/names/askResolver.ts';

/** c-ares, which Node asks with, does not take an answer that comes later than this, and then asks again, for twice as long. */
const TIMEOUT_MS = 5_000;
const TRIES = 3;
/**
 * Of each resolver. Asked again beside the question before, which may still be answered: its time-out alone would make
 * a lost one cost five seconds.
 */
const ATTEMPTS = 4;
const ATTEMPT_DELAY_MS = 1_000;
/** A resolver that does not know a host asks others. */
const OTHERS_MS = 250;

/** Asks the recursive resolvers of a network, over the link. @param families that this machine has addresses of @throws what has become of the question where none has answered */
export type AskNames = (host: string, families: ReadonlySet<4 | 6>) => Promise<AddressAnswer>;

/** A question may be lost: it is asked again when its answer should have come, then after twice as long, and each second at least. */
export function askedAgainAfter(rttMs: number): (times: number) => number {
  return (times) => Math.min(ATTEMPT_DELAY_MS, times * (attemptDelayMs(rttMs) + OTHERS_MS));
}

/**
 * The first one is asked, and asked again; the next only when it is silent or broken, as the system's own
 * resolver does: no other hears of a host that the browser looks up.
 *
 * @param addresses of the system's resolvers, `ADDRESS` or `ADDRESS:PORT`, in its order
 * @param againMs after which a resolver that was asked so many times is asked again
 * @param answered told who has
 */
export function nameServers(addresses: readonly string[], againMs = askedAgainAfter(0), answered: (address: string) => void = () => undefined): AskNames {
  const inTurn = addresses.flatMap((address) => Array<string>(ATTEMPTS).fill(address));
  return async (host, families) => {
    try {
      const { server, answer } = await race(inTurn, (address) => attempt(address, host, families), (place) => againMs((place % ATTEMPTS) + 1), after);
      answered(server);
      return answer;
    } catch (error) {
      throw error instanceof AggregateError ? (error.errors[0] ?? error) : error;
    }
  };
}

/** With a resolver of its own: from earlier answers one learns to be impatient, which a link that has filled since is too slow for. */
function attempt(server: string, host: string, families: ReadonlySet<4 | 6>): Attempt<{ readonly server: string; readonly answer: AddressAnswer }> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  resolver.setServers([server]);
  const cancel = (): void => resolver.cancel();
  // when it is told, of IPv6 alone, where that is late
  const result = askResolver(host, resolver, families).finally(cancel).then((answer) => ({ server, answer }));
  return { result, cancel };
}
