import { LRUCache } from 'lru-cache';
import type { HostAddress } from '../../../shared/src/memory/neededObject.ts';
import { familyOf, type Address } from '../../../shared/src/names/address.ts';
import { nameOfHost } from '../../../shared/src/names/authority.ts';
import type { HostResolver } from '../../../shared/src/names/resolveHost.ts';

const MAX_HOSTS = 1_000;

/**
 * Hosts as the DNS knows them, and by which address each was reached last, which is likely to be one of those that the
 * DNS says next (ADR 91). In memory; what is remembered of pages has those of their servers.
 *
 * Hosts are as in a URL.
 */
export class HostNames {
  private readonly resolver: Pick<HostResolver, 'resolve' | 'forget' | 'mustAsk'>;
  private readonly remembered: (host: string) => string | null;
  /** null where it is known to be none that was known before. */
  private readonly last = new LRUCache<string, { readonly address: Address | null }>({ max: MAX_HOSTS });

  /** @param remembered of earlier sessions */
  constructor(resolver: HostNames['resolver'], remembered: HostNames['remembered']) {
    [this.resolver, this.remembered] = [resolver, remembered];
  }

  /** Where the host is likely to be, while the network has to be asked; null where nothing is known, or all. */
  likely(host: string): Address | null {
    if (!this.resolver.mustAsk(host)) return null;
    const name = nameOfHost(host);
    const last = this.last.get(name);
    return last === undefined ? addressOf(this.remembered(name)) : last.address;
  }

  /** As HostResolver does. @throws FirstscreenError E_NAME */
  resolve(host: string): Promise<readonly Address[]> {
    return this.resolver.resolve(host);
  }

  reached(host: string, address: Address): void {
    this.last.set(nameOfHost(host), { address });
  }

  /** It is not where it was likely to be. */
  moved(host: string): void {
    this.last.set(nameOfHost(host), { address: null });
  }

  /** No address of the host has answered. */
  forget(host: string): void {
    this.resolver.forget(host);
    this.moved(host);
  }

  /** By which addresses the servers of these URLs were reached, to be remembered. */
  reachedBy(urls: readonly string[]): HostAddress[] {
    const hosts = new Set(urls.filter((url) => URL.canParse(url)).map((url) => nameOfHost(new URL(url).hostname)));
    return [...hosts].flatMap((host) => {
      const { address = null } = this.last.get(host) ?? {};
      return address === null ? [] : [{ host, address: address.address }];
    });
  }

  /** The user has erased what was remembered. */
  forgetLast(): void {
    this.last.clear();
  }
}

function addressOf(text: string | null): Address | null {
  const family = familyOf(text ?? '');
  return text === null || family === null ? null : { address: text, family };
}
