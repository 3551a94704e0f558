import { LRUCache } from 'lru-cache';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';

/**
 * Servers of one page, those that the browser has asked among them: each costs a handshake, with TLS some 4 kB, and a page
 * of many has the link full.
 */
const MAX_SERVERS = 6;
const MAX_PAGES = 500;

interface NamingPage {
  /** Sites that the browser has asked for this page. */
  readonly asked: Set<string>;
  /** Servers that the page names, by site, until the browser asks one of the site. */
  readonly waiting: Map<string, Set<string>>;
  /** Servers that have a connection, or will have: the browser asks them, or we have made one. */
  readonly connected: Set<string>;
}

/**
 * Servers that a page names and the browser will ask later: it holds back what is not urgent, images above all, until
 * the page's head is through, and makes no connection before. A connection of ours is there by then.
 *
 * A server is connected to only after the browser has asked one of the same site for this page, as a blocker mostly takes
 * sites whole: nobody hears of a visit who would not have. The page's own site has been asked.
 */
export class NamedServers {
  private readonly connect: (origin: string) => void;
  /** By partition. */
  private readonly pages: LRUCache<string, NamingPage>;

  /**
   * @param connect makes a connection, if there is none
   * @param ttlMs after which a page has loaded
   * @param now milliseconds of a monotonic clock
   */
  constructor(connect: (origin: string) => void, ttlMs: number, now: () => number) {
    this.connect = connect;
    this.pages = new LRUCache({ max: MAX_PAGES, ttl: ttlMs, perf: { now } });
  }

  /** A page of this partition begins to load. */
  navigated(partition: string): void {
    this.pages.set(partition, { asked: new Set([siteOf(partition)]), waiting: new Map(), connected: new Set() });
  }

  /** The page names something of this server. */
  named(partition: string, origin: string): void {
    const page = this.pages.get(partition);
    if (page === undefined) return;
    const site = siteOf(origin);
    if (page.asked.has(site)) this.connectTo(page, origin);
    else page.waiting.set(site, (page.waiting.get(site) ?? new Set()).add(origin));
  }

  /** The browser asks this server for something of the page. */
  asked(partition: string, origin: string): void {
    const page = this.pages.get(partition);
    if (page === undefined) return;
    const site = siteOf(origin);
    page.asked.add(site);
    page.connected.add(origin);
    for (const other of page.waiting.get(site) ?? []) this.connectTo(page, other);
    page.waiting.delete(site);
  }

  private connectTo({ connected }: NamingPage, origin: string): void {
    if (connected.has(origin) || connected.size >= MAX_SERVERS) return;
    connected.add(origin);
    this.connect(origin);
  }
}
