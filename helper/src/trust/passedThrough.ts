import { BoundedSet } from '../../../shared/src/boundedSet.ts';

/** More hosts with a pinned certificate than any browser's session meets; some 100 kB. */
const DEFAULT_CAPACITY = 1000;

/**
 * Hosts whose client refused our certificate: a program that knows its server's own (pinning), or a browser that has not read its store anew. They are passed through from then on, for as long as this
 * process lives, so that each is refused once at most. Kept in memory: the next process may find the browser's store up to date.
 */
export class PassedThrough {
  /** In the order in which they were last met. */
  private readonly hosts: BoundedSet<string>;

  /** @param capacity how many hosts are kept, the longest not met going first; at least 1 */
  constructor(capacity = DEFAULT_CAPACITY) {
    this.hosts = new BoundedSet(capacity);
  }

  /** @param host in the spelling in which it will be asked for */
  remember(host: string): void {
    this.hosts.add(host);
  }

  has(host: string): boolean {
    if (!this.hosts.has(host)) return false;
    this.remember(host);
    return true;
  }
}
