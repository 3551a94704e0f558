import { getServers } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { Address } from './addressCache.ts';
import { parseHostsFile } from './hostsFile.ts';
import { askAll, nameServers } from './nameServers.ts';
import type { AddressSources } from './resolveHost.ts';

const HOSTS_FILE = '/etc/hosts';

/** This machine's own ways to find addresses; what it is configured with is looked up anew for each question, as a laptop changes networks. */
export function systemSources(now: () => number): AddressSources {
  const hosts = new HostsFile(HOSTS_FILE);
  return {
    hosts: () => hosts.read(),
    ask: (host) => askAll(host, nameServers(getServers()), ownFamilies()),
    lookup: async (host) => (await lookup(host, { all: true })).flatMap(({ address, family }): Address[] => (family === 4 || family === 6 ? [{ address, family }] : [])),
    now,
  };
}

/** Families of which this machine has an address that leads out; with none, as without a network, both. */
function ownFamilies(): ReadonlySet<4 | 6> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outward = addresses.filter(({ internal, address }) => !internal && !/^fe[89ab]/i.test(address));
  const families = new Set(outward.map(({ family }): 4 | 6 => (family === 'IPv6' ? 6 : 4)));
  return families.size > 0 ? families : new Set([4, 6]);
}

/** The hosts file, read when it has changed. */
class HostsFile {
  private readonly path: string;
  private version = '';
  private hosts: ReadonlyMap<string, readonly Address[]> = new Map();

  constructor(path: string) {
    this.path = path;
  }

  read(): ReadonlyMap<string, readonly Address[]> {
    const stats = statSync(this.path, { throwIfNoEntry: false });
    const version = stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
    if (version !== this.version) {
      this.version = version;
      this.hosts = version === '' ? new Map() : parseHostsFile(readFileSync(this.path, 'utf8'));
    }
    return this.hosts;
  }
}
