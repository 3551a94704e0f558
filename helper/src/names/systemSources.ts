import { Resolver } from 'node:dns/promises';
import { uptime } from 'node:os';
import type { AddressSources } from '../../../shared/src/names/resolveHost.ts';
import { RESOLVER_FILE, machineNames } from '../../../shared/src/node/names/machineNames.ts';
import { ownFamilies } from '../../../shared/src/node/names/outwardAddresses.ts';
import { remembered } from '../../../shared/src/node/names/remembered.ts';
import { parseSearchDomains } from '../../../shared/src/node/names/searchDomains.ts';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { askedAgainAfter, nameServers } from './nameServers.ts';

/** A page asks for a dozen names at once, and each look takes half a millisecond; a laptop changes networks seldom. */
const CONFIGURATION_MS = 1_000;

/**
 * This machine's own ways to find addresses.
 *
 * @param rttMs of the access link, as far as it is known
 */
export function systemSources(rttMs: () => number = () => 0): AddressSources {
  const configured = remembered(CONFIGURATION_MS, bootMs, () => ({ servers: new Resolver().getServers(), families: ownFamilies() }));
  let answering = '';
  return machineNames({
    ask: (host) => {
      const { servers, families } = configured();
      // one that was silent is not waited for at each name
      const inTurn = [...servers].sort((a, b) => Number(b === answering) - Number(a === answering));
      return nameServers(inTurn, askedAgainAfter(rttMs()), (address) => (answering = address))(host, families);
    },
    now: bootMs,
  });
}

/** Domains of the network that this machine is in, as its resolver is told. */
export function systemSearchDomains(): () => readonly string[] {
  return remembered(CONFIGURATION_MS, bootMs, () => parseSearchDomains(readOrNothing(RESOLVER_FILE)));
}

/** Milliseconds since the machine was started; goes on while it sleeps (CLOCK_BOOTTIME). */
export function bootMs(): number {
  return 1000 * uptime();
}
