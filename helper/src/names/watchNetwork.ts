import { addressSpaceOf } from './addressPolicy.ts';
import { NetworkWatch, type NetworkMoment } from './networkWatch.ts';
import { bootMs, outwardAddresses } from './systemSources.ts';

/** Sooner than a user who has moved loads a page; each look takes a tenth of a millisecond. */
const LOOK_MS = 2_000;

/**
 * Watches this machine's network.
 *
 * @param changed what was connected from an address of this machine may still be used, or not
 * @param looked it was looked, whatever was seen
 */
export function watchNetwork(changed: (isUsable: (localAddress: string) => boolean) => void, looked: () => void): NodeJS.Timeout {
  const watch = new NetworkWatch(moment());
  const look = (): void => {
    const now = moment();
    const change = watch.observe(now);
    // servers have ended what a machine that sleeps does not answer; its own have slept too
    if (change !== null) changed((address) => addressSpaceOf(address) === 'loopback' || (change === 'moved' && now.addresses.includes(address)));
    looked();
  };
  return setInterval(look, LOOK_MS).unref();
}

function moment(): NetworkMoment {
  return { addresses: outwardAddresses(), awakeMs: performance.now(), bootMs: bootMs() };
}
