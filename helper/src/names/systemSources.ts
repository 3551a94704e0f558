import { Resolver, lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { networkInterfaces, uptime } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { Address } from '../../../shared/src/names/address.ts';
import { parseHostsFile } from '../../../shared/src/names/hostsFile.ts';
import type { AddressSources } from '../../../shared/src/names/resolveHost.ts';
import { readOrNothing } from '../files.ts';
import { askForAddresses, nameServers } from './nameServers.ts';
import { parseSearchDomains } from './searchDomains.ts';

const HOSTS_FILE = '/etc/hosts';
const RESOLVER_FILE = '/etc/resolv.conf';

/** A page asks for a dozen names at once, and each look takes half a millisecond; a laptop changes networks seldom. */
const CONFIGURATION_MS = 1_000;

/** This machine's own ways to find addresses. */
export function systemSources(): AddressSources {
  const configured = remembered(CONFIGURATION_MS, () => ({ servers: new Resolver().getServers(), families: ownFamilies() }));
  let answering = '';
  return {
    hosts: remembered(CONFIGURATION_MS, () => parseHostsFile(readOrNothing(HOSTS_FILE))),
    ask: (host) => {
      // one that was silent is not waited for at each name
      const servers = [...configured().servers].sort((a, b) => Number(b === answering) - Number(a === answering));
      return askForAddresses(host, nameServers(servers, undefined, (address) => (answering = address)), configured().families);
    },
    lookup: async (host) => (await lookup(host, { all: true })).flatMap(({ address, family }): Address[] => (family === 4 || family === 6 ? [{ address, family }] : [])),
    now: bootMs,
  };
}

/** Domains of the network that this machine is in, as its resolver is told. */
export function systemSearchDomains(): () => readonly string[] {
  return remembered(CONFIGURATION_MS, () => parseSearchDomains(readOrNothing(RESOLVER_FILE)));
}

/** Addresses of this machine that lead out. */
export function outwardAddresses(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.flatMap(({ internal, address }) => (internal || ipaddr.parse(address).range() === 'linkLocal' ? [] : [address]));
}

/** Milliseconds since the machine was started; goes on while it sleeps (CLOCK_BOOTTIME). */
export function bootMs(): number {
  return 1000 * uptime();
}

/** What `look` says, looked at no oftener than this. */
function remembered<T>(forMs: number, look: () => T): () => T {
  let [value, atMs]: [T | undefined, number] = [undefined, -Infinity];
  return () => {
    if (value === undefined || bootMs() - atMs > forMs) [value, atMs] = [look(), bootMs()];
    return value;
  };
}

/** Families of which this machine has an address that leads out; with none, as without a network, both. */
function ownFamilies(): ReadonlySet<4 | 6> {
  const families = new Set(outwardAddresses().map((address): 4 | 6 => (isIPv6(address) ? 6 : 4)));
  return families.size > 0 ? families : new Set([4, 6]);
}
