/** One address of a host. */
export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** What is known of a host's addresses, and until when. */
export interface AddressAnswer {
  readonly addresses: readonly Address[];
  /** Seconds, from the DNS (RFC 1035, section 3.2.1). */
  readonly ttlSeconds: number;
}

/** Fewer seconds than this are taken for this: a page's connections follow one another within it. */
const MIN_TTL_SECONDS = 5;
/** More would outlive a change of networks by too long. */
const MAX_TTL_SECONDS = 3_600;
const MAX_HOSTS = 1_000;

/** Addresses by host, each for the time that the DNS allows. */
export class AddressCache {
  private readonly entries = new Map<string, { readonly addresses: readonly Address[]; readonly untilMs: number }>();

  /** @returns null when nothing is known, or not any more */
  get(host: string, nowMs: number): readonly Address[] | null {
    const entry = this.entries.get(host);
    if (entry === undefined) return null;
    if (nowMs < entry.untilMs) return entry.addresses;
    this.entries.delete(host);
    return null;
  }

  put(host: string, { addresses, ttlSeconds }: AddressAnswer, nowMs: number): void {
    if (addresses.length === 0) return;
    // the last one put goes to the end, so that the first is the one to forget
    this.entries.delete(host);
    this.entries.set(host, { addresses, untilMs: nowMs + 1000 * Math.min(MAX_TTL_SECONDS, Math.max(MIN_TTL_SECONDS, ttlSeconds)) });
    for (const oldest of this.entries.keys()) if (this.entries.size > MAX_HOSTS) this.entries.delete(oldest);
  }

  /** None of a host's addresses has answered: the next connection asks anew. */
  forget(host: string): void {
    this.entries.delete(host);
  }

  /** The machine is in another network: names may mean other machines there. */
  clear(): void {
    this.entries.clear();
  }
}
