import { Resolver, lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, AddressAnswer } from '../../../shared/src/names/address.ts';
import { parseHostsFile } from '../../../shared/src/names/hostsFile.ts';
import type { AddressSources } from '../../../shared/src/names/resolveHost.ts';

const HOSTS_FILE = '/etc/hosts';
/** A page asks for a dozen names at once. */
const HOSTS_FILE_MS = 1_000;
/** The relay's resolver is near; a lost question costs this. */
const TIMEOUT_MS = 1_000;
const TRIES = 3;
/** When a host has an IPv4 address already, its IPv6 ones are waited for this much longer (RFC 8305, section 3: Resolution Delay). */
const RESOLUTION_DELAY_MS = 50;

interface FoundRecord extends Address {
  readonly ttl: number;
}

/** The relay's own ways to find addresses: the hosts file, the resolvers of the system, its lookup. */
export function systemNames(): AddressSources {
  let [hosts, readMs] = [parseHostsFile(''), -Infinity];
  return {
    hosts: () => {
      if (performance.now() - readMs > HOSTS_FILE_MS) [hosts, readMs] = [parseHostsFile(hostsText()), performance.now()];
      return hosts;
    },
    // one anew for each name: it reads the system's settings when it is made
    ask: (host) => askResolver(host, new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }), ownFamilies()),
    // getaddrinfo takes one of a few threads for each name: asked only for what the DNS does not know
    lookup: async (host) => (await lookup(host, { all: true })).flatMap(({ address, family }): Address[] => (family === 4 || family === 6 ? [{ address, family }] : [])),
    now: () => performance.now(),
  };
}

/** Asks for all families at once. @throws what the resolver says when it knows no address */
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
  if (records.length === 0 && first.status === 'rejected') throw first.reason;
  if (records.length === 0 && second.status === 'rejected') throw second.reason;
  return { addresses: records.map(({ address, family }) => ({ address, family })), ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
}

function hostsText(): string {
  try {
    return readFileSync(HOSTS_FILE, 'utf8');
  } catch {
    return '';
  }
}

/** Families of which this machine has an address that leads out; with none both. */
function ownFamilies(): ReadonlySet<4 | 6> {
  const outward = Object.values(networkInterfaces()).flatMap((list) => list ?? []).filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return outward.length === 0 ? new Set([4, 6]) : new Set(outward.map(({ family }): 4 | 6 => (family === 'IPv6' ? 6 : 4)));
}
