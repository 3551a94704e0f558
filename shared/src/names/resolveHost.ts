import { LRUCache } from 'lru-cache';
import { FirstscreenError } from '../errors.ts';
import { familyOf, type Address, type AddressAnswer } from './address.ts';
import { nameOfHost } from './authority.ts';

/** What the system's own lookup tells carries no time to live. */
const LOOKUP_TTL_SECONDS = 30;
/**
 * Fewer seconds than this are taken for this: a page's connections follow one another within it, and one that names a
 * host that is no more names it often.
 */
const MIN_TTL_SECONDS = 5;
const MAX_TTL_SECONDS = 3_600;
/** A network that changes more often than this while a name is asked for carries no page. */
const MAX_ATTEMPTS = 5;
const MAX_HOSTS = 1_000;

/** Where addresses come from; all of it injected, so that a test needs no network. */
export interface AddressSources {
  /** Of the hosts file, as it is now. */
  hosts(): ReadonlyMap<string, readonly Address[]>;
  /** Asks the system's resolvers. @throws what has become of the question where none has answered */
  ask(host: string): Promise<AddressAnswer>;
  /** The system's own lookup (getaddrinfo), which knows more than the DNS: search domains, mDNS, other name services. */
  lookup(host: string): Promise<readonly Address[]>;
  /** Whether the lookup may know hosts with a dot in their names of which the resolvers say that there are none. */
  looksFurther(): boolean;
  /** Milliseconds of a clock that does not stop while the machine sleeps. */
  now(): number;
}

/** Finds the addresses of hosts, each asked for once at a time and kept for as long as the DNS says. */
export class HostResolver {
  private readonly cache: LRUCache<string, readonly Address[]>;
  private readonly sources: AddressSources;

  constructor(sources: AddressSources) {
    this.sources = sources;
    this.cache = new LRUCache({
      max: MAX_HOSTS,
      ttl: 1,
      ttlResolution: 0,
      perf: { now: () => sources.now() },
      fetchMethod: async (name, _stale, { options }) => {
        const { addresses, ttlSeconds } = await this.askOrLookUp(name);
        options.ttl = 1000 * Math.min(MAX_TTL_SECONDS, Math.max(MIN_TTL_SECONDS, ttlSeconds));
        return addresses;
      },
    });
  }

  /**
   * Addresses in the order in which they should be tried.
   *
   * @param host name or address, as in a URL (an IPv6 address in brackets)
   * @throws FirstscreenError E_NAME when nobody knows the host
   */
  async resolve(host: string): Promise<readonly Address[]> {
    const name = nameOfHost(host);
    const family = familyOf(name);
    if (family !== null) return [{ address: name, family }];
    const known = this.sources.hosts().get(name);
    if (known !== undefined) return interleaveFamilies(known);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const addresses = await this.cache.forceFetch(name);
        if (addresses.length === 0) throw unknownHost();
        return interleaveFamilies(addresses);
      } catch (error) {
        if (error instanceof FirstscreenError || attempt === MAX_ATTEMPTS) throw error;
        // forgotten while it was asked for, as in a network that was left: asked anew
      }
    }
  }

  /** Whether the network has to be asked before the host's addresses are known. */
  mustAsk(host: string): boolean {
    const name = nameOfHost(host);
    return familyOf(name) === null && !this.sources.hosts().has(name) && !this.cache.has(name);
  }

  /** No address of the host has answered. */
  forget(host: string): void {
    this.cache.delete(nameOfHost(host));
  }

  /** The machine is in another network: names may mean other machines there. */
  forgetAll(): void {
    this.cache.clear();
  }

  private async askOrLookUp(name: string): Promise<AddressAnswer> {
    const answer = await this.ask(name);
    if (answer !== null && (answer.addresses.length > 0 || !this.sources.looksFurther())) return answer;
    try {
      return { addresses: await this.sources.lookup(name), ttlSeconds: LOOKUP_TTL_SECONDS };
    } catch (error) {
      if (answer !== null) return answer;
      throw unknownHost(error);
    }
  }

  /** @returns null where no resolver says anything */
  private async ask(name: string): Promise<AddressAnswer | null> {
    // a name of one label, or of a home network, is not the DNS's
    if (!name.includes('.') || name.endsWith('.local')) return null;
    try {
      return await this.sources.ask(name);
    } catch {
      return null;
    }
  }
}

function unknownHost(cause?: unknown): FirstscreenError {
  return new FirstscreenError('E_NAME', 'No resolver of this machine knows the host.', 'Check the name and the network.', { cause });
}

/** The order in which addresses are tried (RFC 8305, section 4): the families by turns, IPv6 first, each in the order of its answer. */
function interleaveFamilies(addresses: readonly Address[]): Address[] {
  const v6 = addresses.filter(({ family }) => family === 6);
  const v4 = addresses.filter(({ family }) => family === 4);
  return [...v6.flatMap((address, place) => [address, ...v4.slice(place, place + 1)]), ...v4.slice(v6.length)];
}
