import { lookup } from 'node:dns/promises';
import type { Address } from '../../names/address.ts';
import { parseHostsFile } from '../../names/hostsFile.ts';
import type { AddressSources } from '../../names/resolveHost.ts';
import { readOrNothing } from '../readOrNothing.ts';
import { lastParsed } from './lastParsed.ts';
import { looksFurther } from './looksFurther.ts';
import { remembered } from './remembered.ts';

const HOSTS_FILE = '/etc/hosts';
const SERVICES_FILE = '/etc/nsswitch.conf';
export const RESOLVER_FILE = '/etc/resolv.conf';
/** A page asks for a dozen names at once. */
const FILES_MS = 1_000;

/**
 * This machine's own ways to find addresses.
 *
 * @param ask of its resolvers
 * @param now as `AddressSources` has it
 */
export function machineNames({ ask, now }: Pick<AddressSources, 'ask' | 'now'>): AddressSources {
  const hostsOf = lastParsed(parseHostsFile);
  return {
    hosts: remembered(FILES_MS, now, () => hostsOf(readOrNothing(HOSTS_FILE))),
    ask,
    looksFurther: remembered(FILES_MS, now, () => looksFurther(readOrNothing(SERVICES_FILE), readOrNothing(RESOLVER_FILE))),
    // getaddrinfo takes one of a few threads for each name: asked only for what the DNS does not know
    lookup: async (host) => (await lookup(host, { all: true })).flatMap(({ address, family }): Address[] => (family === 4 || family === 6 ? [{ address, family }] : [])),
    now,
  };
}
