import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';
import type { Servers } from '../../../shared/src/relay/wire.ts';
import { HostSet } from '../names/hostSet.ts';

/** What the user lets the relay look into: these hosts, with everything under them, or all. */
export type Terminate = 'all' | readonly string[];

/** For which hosts the relay makes the requests, and sees what is in them. All others are tunnels. */
export class TerminatedHosts {
  private readonly hosts: HostSet | null;
  private readonly isKeptClosed: (host: string) => boolean;

  /** @param isKeptClosed whether nobody may look into a host's connections: whatever is not intercepted here is not terminated there */
  constructor(terminate: Terminate, isKeptClosed: (host: string) => boolean) {
    this.hosts = terminate === 'all' ? null : new HostSet(terminate);
    this.isKeptClosed = isKeptClosed;
  }

  /** @param host as in a URL */
  has(host: string): boolean {
    return (this.hosts?.has(host) ?? true) && !this.isKeptClosed(host);
  }

  /** What the relay may know of the others that a page of this origin names; null where some of its own site are tunnels. */
  besides(origin: string): Servers | null {
    if (this.hosts === null) return 'all';
    return this.hosts.has(siteOf(origin)) ? 'site' : null;
  }
}
