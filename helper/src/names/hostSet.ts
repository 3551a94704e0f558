/** Hosts that the user has named, each with everything under it. */
export class HostSet {
  private readonly hosts: ReadonlySet<string>;

  /** @param hosts as in a URL, in ASCII */
  constructor(hosts: readonly string[]) {
    this.hosts = new Set(hosts.map(plain));
  }

  has(host: string): boolean {
    return this.covering(host) !== null;
  }

  /** The nearest one that has this host, in lower case; null for none. */
  covering(host: string): string | null {
    if (this.hosts.size === 0) return null;
    const labels = plain(host).split('.');
    return labels.map((_, place) => labels.slice(place).join('.')).find((name) => this.hosts.has(name)) ?? null;
  }
}

/** A name may be written with the dot of the root behind it (RFC 1034, section 3.1), and is the same. */
function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
