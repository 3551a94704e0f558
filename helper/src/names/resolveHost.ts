import { isIP } from 'node:net';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { AddressCache, type Address, type AddressAnswer } from './addressCache.ts';
import { interleaveFamilies } from './addressOrder.ts';

/** What the system's own lookup tells carries no time to live. */
const LOOKUP_TTL_SECONDS = 30;

/** Where addresses come from; all of it injected, so that a test needs no network. */
export interface AddressSources {
  /** Of the hosts file, as it is now. */
  hosts(): ReadonlyMap<string, readonly Address[]>;
  /** Asks the system's resolvers, all at once. */
  ask(host: string): Promise<AddressAnswer>;
  /** The system's own lookup (getaddrinfo), which knows more than the DNS: search domains, mDNS, other name services. */
  lookup(host: string): Promise<readonly Address[]>;
  now(): number;
}

/** Finds the addresses of hosts, each asked for once at a time and kept for as long as the DNS says. */
export class HostResolver {
  private readonly cache = new AddressCache();
  private readonly asking = new Map<string, Promise<readonly Address[]>>();
  private readonly sources: AddressSources;

  constructor(sources: AddressSources) {
    this.sources = sources;
  }

  /**
   * Addresses in the order in which they should be tried.
   *
   * @param host name or address, as in a URL (an IPv6 address in brackets)
   * @throws FirstscreenError E_NAME when nobody knows the host
   */
  async resolve(host: string): Promise<readonly Address[]> {
    const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '').toLowerCase();
    const family = isIP(name);
    if (family === 4 || family === 6) return [{ address: name, family }];
    const known = this.sources.hosts().get(name) ?? this.cache.get(name, this.sources.now());
    if (known !== null) return interleaveFamilies(known);
    let asked = this.asking.get(name);
    if (asked === undefined) {
      asked = this.find(name).finally(() => this.asking.delete(name));
      this.asking.set(name, asked);
    }
    return interleaveFamilies(await asked);
  }

  /** No address of the host has answered. */
  forget(host: string): void {
    this.cache.forget(host.toLowerCase());
  }

  /** The machine is in another network. */
  forgetAll(): void {
    this.cache.clear();
  }

  private async find(name: string): Promise<readonly Address[]> {
    const answer = await this.askOrLookUp(name);
    if (answer.addresses.length === 0) throw unknownHost();
    this.cache.put(name, answer, this.sources.now());
    return answer.addresses;
  }

  private async askOrLookUp(name: string): Promise<AddressAnswer> {
    try {
      // a name of one label, or of a home network, is not the DNS's
      if (!name.includes('.') || name.endsWith('.local')) throw unknownHost();
      return await this.sources.ask(name);
    } catch {
      try {
        return { addresses: await this.sources.lookup(name), ttlSeconds: LOOKUP_TTL_SECONDS };
      } catch (error) {
        throw unknownHost(error);
      }
    }
  }
}

function unknownHost(cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_NAME', 'No resolver of this machine knows the host.', 'The browser is asked to look itself; check the name and the network if it fails too.', { cause });
}
