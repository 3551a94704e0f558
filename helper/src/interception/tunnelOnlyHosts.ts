/** Hosts that the user keeps closed to the helper, each with everything under it. */
export class TunnelOnlyHosts {
  private readonly hosts: ReadonlySet<string>;

  /** @param hosts as in a URL, in ASCII */
  constructor(hosts: readonly string[]) {
    this.hosts = new Set(hosts.map(plain));
  }

  has(host: string): boolean {
    if (this.hosts.size === 0) return false;
    const labels = plain(host).split('.');
    return labels.some((_, place) => this.hosts.has(labels.slice(place).join('.')));
  }
}

/** A name may be written with the dot of the root behind it (RFC 1034, section 3.1), and is the same. */
function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
