import { LRUCache } from 'lru-cache';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';

const MAX_PAGES = 500;

/**
 * Scripts that a page's first screen does not wait for, as far as the browser and the page have shown: added by other
 * scripts, `async` or deferred, and of a site that has given the page nothing that it waits for. So come what counts
 * visitors, and advertising. A page that scripts make has them from its own site, or from one that its style sheets or
 * first scripts are of.
 */
export class LayoutSites {
  /** By partition, the sites of what the page waits for. */
  private readonly pages: LRUCache<string, Set<string>>;

  /**
   * @param ttlMs after which a page has loaded
   * @param now milliseconds of a monotonic clock
   */
  constructor(ttlMs: number, now: () => number) {
    this.pages = new LRUCache({ max: MAX_PAGES, ttl: ttlMs, perf: { now } });
  }

  /** A page of this partition begins to load. */
  navigated(partition: string): void {
    this.pages.set(partition, new Set([siteOf(partition)]));
  }

  /** The browser asks for something for this page. @returns whether it is such a script */
  isBeside(partition: string, origin: string, headers: RawHeaders): boolean {
    const sites = this.pages.get(partition);
    const destination = valueOf(headers, 'sec-fetch-dest');
    if (sites === undefined || destination === null) return false;
    const site = siteOf(origin);
    // Chromium (which alone sends Sec-CH-UA) has a word for every script that something waits for, and none for these
    // (RFC 9218, section 4.1); Firefox has none for those that its parser waits for in the body either
    if (destination === 'script' && valueOf(headers, 'priority') === null) return valueOf(headers, 'sec-ch-ua') !== null && !sites.has(site);
    if (destination === 'script' || destination === 'style' || destination === 'font') sites.add(site);
    return false;
  }
}
