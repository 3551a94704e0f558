import { addressSpaceOf } from '../../../shared/src/names/addressPolicy.ts';
import { outwardAddresses } from '../../../shared/src/node/names/outwardAddresses.ts';
import { bootMs } from './systemSources.ts';

/** What is seen of the machine at a time. */
interface NetworkMoment {
  /** By which it can be reached from outside. */
  readonly addresses: readonly string[];
  /** Milliseconds of a clock that stops while the machine sleeps, and of one that does not. */
  readonly awakeMs: number;
  readonly bootMs: number;
}

/** Shorter gaps are the clocks' own. */
const SLEEP_MS = 3_000;

/**
 * Whether the machine has slept, or is in another network: addresses that were looked up may be of other machines
 * there, and connections lead nowhere.
 */
export function changeBetween(last: NetworkMoment, now: NetworkMoment): 'slept' | 'moved' | null {
  if (now.bootMs - last.bootMs - (now.awakeMs - last.awakeMs) > SLEEP_MS) return 'slept';
  const isSame = last.addresses.every((address) => now.addresses.includes(address)) && now.addresses.every((address) => last.addresses.includes(address));
  return isSame ? null : 'moved';
}

/** Sooner than a user who has moved loads a page; each look takes a tenth of a millisecond. */
const LOOK_MS = 2_000;

/**
 * Watches this machine's network.
 *
 * @param changed what was connected from an address of this machine may still be used, or not
 * @param looked it was looked, whatever was seen
 * @param addressesOf this machine; may throw, as they are asked for on a socket
 */
export function watchNetwork(changed: (isUsable: (localAddress: string) => boolean) => void, looked: () => void, addressesOf = outwardAddresses): NodeJS.Timeout {
  const momentAfter = ({ addresses }: Pick<NetworkMoment, 'addresses'>): NetworkMoment => ({ addresses: addressesOr(addresses, addressesOf), awakeMs: performance.now(), bootMs: bootMs() });
  let last = momentAfter({ addresses: [] });
  const look = (): void => {
    const now = momentAfter(last);
    const change = changeBetween(last, now);
    last = now;
    // servers have ended what a machine that sleeps does not answer; its own have slept too
    if (change !== null) changed((address) => addressSpaceOf(address) === 'loopback' || (change === 'moved' && now.addresses.includes(address)));
    looked();
  };
  return setInterval(look, LOOK_MS).unref();
}

function addressesOr(known: readonly string[], addressesOf: () => readonly string[]): readonly string[] {
  try {
    return addressesOf();
  } catch {
    // of a process that may open no more, as when it has too many connections; the next look tells
    return known;
  }
}
