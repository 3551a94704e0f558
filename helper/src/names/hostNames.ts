import { LRUCache } from 'lru-cache';
import type { HostAddress } from '../../../shared/src/memory/neededObject.ts';
import { familyOf, type Address } from '../../../shared/src/names/address.ts';
import { nameOfHost } from '../../../shared/src/names/authority.ts';
import type { HostResolver } from '../../../shared/src/names/resolveHost.ts';

const MAX_HOSTS = 1_000;

/**
 * Hosts as the DNS knows them, and by which address each was reached last, which is likely to be one of those that the
 * DNS says next (ADR 91). In memory; what is remembered of a page has those of its servers.
 *
 * Hosts are as in a URL.
 */
export class HostNames {
  private readonly resolver: Pick<HostResolver, 'resolve' | 'forget' | 'mustAsk'>;
  private readonly last = new LRUCache<string, Address>({ max: MAX_HOSTS });

  constructor(resolver: HostNames['resolver']) {
    this.resolver = resolver;
  }

  /** Where the host is likely to be, while the network has to be asked; null where nothing is known, or all. */
  likely(host: string): Address | null {
    return this.resolver.mustAsk(host) ? (this.last.get(nameOfHost(host)) ?? null) : null;
  }

  /** As HostResolver does. An address that is not the host's any more is forgotten. @throws FirstscreenError E_NAME */
  async resolve(host: string): Promise<readonly Address[]> {
    const name = nameOfHost(host);
    let addresses: readonly Address[] = [];
    try {
      return (addresses = await this.resolver.resolve(host));
    } finally {
      if (!addresses.some(({ address }) => address === this.last.get(name)?.address)) this.last.delete(name);
    }
  }

  reached(host: string, address: Address): void {
    this.last.set(nameOfHost(host), address);
  }

  /** No address of the host has answered. */
  forget(host: string): void {
    this.resolver.forget(host);
    this.last.delete(nameOfHost(host));
  }

  /** By which addresses the servers of these URLs were reached, to be remembered. */
  reachedBy(urls: readonly string[]): HostAddress[] {
    const hosts = new Set(urls.filter((url) => URL.canParse(url)).map((url) => nameOfHost(new URL(url).hostname)));
    return [...hosts].flatMap((host) => {
      const last = this.last.get(host);
      return last === undefined ? [] : [{ host, address: last.address }];
    });
  }

  /** As an earlier visit was told; what is known here is newer. */
  remember(addresses: readonly HostAddress[]): void {
    for (const { host, address } of addresses) {
      const family = familyOf(address);
      if (family !== null && !this.last.has(nameOfHost(host))) this.reached(host, { address, family });
    }
  }

  /** The user has erased what was remembered. */
  forgetLast(): void {
    this.last.clear();
  }
}
