import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { ErrorCode } from '../../../shared/src/errors.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import { nameOfHost } from '../../../shared/src/names/authority.ts';
import { HostSet } from '../names/hostSet.ts';

/** Of names that a network has for itself: RFC 6761, 6762 (appendix G), 7686, 8375, and ICANN's `internal`. */
const OWN_DOMAINS = new HostSet(['localhost', 'local', 'internal', 'home.arpa', 'intranet', 'private', 'corp', 'home', 'lan', 'invalid', 'onion']);
/** Hosts that the relay has refused: what it could not do may be possible again some time later. */
const MAX_REFUSED = 1_000;
const REFUSED_MS = 600_000;

export interface RelayHostsOptions {
  readonly isPublic: IsPublic;
  /** Names of this machine's hosts file. */
  readonly named: () => ReadonlyMap<string, unknown>;
  /** Domains that the system looks names up in: of the network that the machine is in. */
  readonly searched: () => readonly string[];
  /** Whether a host answers the relay otherwise than it would its user (refusedHosts.ts). */
  readonly isRefused?: (host: string) => boolean;
}

/** Which hosts the relay may carry: those that mean the same there as here, as far as their names tell. */
export class RelayHosts {
  private readonly options: RelayHostsOptions;
  private readonly refusals = new LRUCache<string, true>({ max: MAX_REFUSED, ttl: REFUSED_MS, perf: { now: () => performance.now() } });

  constructor(options: RelayHostsOptions) {
    this.options = options;
  }

  /** @param host as in a URL */
  mayCarry(host: string): boolean {
    const name = nameOfHost(host);
    if (this.options.isRefused?.(name) === true) return false;
    if (isIP(name) !== 0) return this.options.isPublic(name) && !this.refusals.has(name);
    // whom the hosts file names, also to keep from him, is the user's to say; a domain of one label is no network's own
    const isOwn = !name.includes('.') || OWN_DOMAINS.has(name) || this.options.named().has(name) || new HostSet(this.options.searched().filter((domain) => domain.replace(/\.$/, '').includes('.'))).has(name);
    return !isOwn && !this.refusals.has(name);
  }

  /** The relay has said no. A relay that has too much to do says it of no host. */
  refused(host: string, code: ErrorCode): void {
    if (code !== 'E_RELAY_LIMIT') this.refusals.set(nameOfHost(host), true);
  }
}
