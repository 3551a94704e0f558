import { LRUCache } from 'lru-cache';
import { siteOf } from '../../../shared/src/node/foresight/siteOf.ts';

/**
 * Servers of one page, those that the browser has asked among them: each costs a handshake, with TLS some 4 kB, and a page
 * of many has the link full.
 */
const MAX_SERVERS = 6;
/** To one of http:. Of the six that browsers make, two are left to what the layout shows to be in view. */
const MAX_CLEAR_CONNECTIONS = 4;
const MAX_PAGES = 500;

interface NamingPage {
  /** Sites that the browser has asked for this page. */
  readonly asked: Set<string>;
  /** Servers that the page names, with how often, by site, until the browser asks one of the site. */
  readonly waiting: Map<string, Map<string, number>>;
  /** Connections that we have made, or are making, by server; Infinity where the browser asks, and makes its own. */
  readonly connections: Map<string, number>;
}

/**
 * Servers that a page names and the browser will ask later: it holds back what is not urgent, images above all, until
 * the page's head is through, and what is urgent for as long as it takes to begin a page. It makes no connection before.
 * A connection of ours is there by then, or on its way: one to a server of https:, as it mostly speaks HTTP/2, and to
 * others one for each object.
 *
 * A server is connected to only after the browser has asked one of the same site for this page, as a blocker mostly takes
 * sites whole: nobody hears of a visit who would not have. The page's own site has been asked.
 */
export class NamedServers {
  private readonly connect: (origin: string, connections: number) => void;
  /** By partition. */
  private readonly pages: LRUCache<string, NamingPage>;

  /**
   * @param connect makes connections until there are so many
   * @param ttlMs after which a page has loaded
   * @param now milliseconds of a monotonic clock
   */
  constructor(connect: (origin: string, connections: number) => void, ttlMs: number, now: () => number) {
    this.connect = connect;
    this.pages = new LRUCache({ max: MAX_PAGES, ttl: ttlMs, perf: { now } });
  }

  /** A page of this partition begins to load. */
  navigated(partition: string): void {
    this.pages.set(partition, { asked: new Set([siteOf(partition)]), waiting: new Map(), connections: new Map() });
  }

  /** The page names something of this server. */
  named(partition: string, origin: string): void {
    const page = this.pages.get(partition);
    if (page === undefined) return;
    const site = siteOf(origin);
    if (page.asked.has(site)) {
      this.connectTo(page, origin, 1);
      return;
    }
    const servers = page.waiting.get(site) ?? new Map<string, number>();
    page.waiting.set(site, servers.set(origin, (servers.get(origin) ?? 0) + 1));
  }

  /** The browser asks this server for something of the page. */
  asked(partition: string, origin: string): void {
    const page = this.pages.get(partition);
    if (page === undefined) return;
    const site = siteOf(origin);
    page.asked.add(site);
    page.connections.set(origin, Infinity);
    for (const [other, times] of page.waiting.get(site) ?? []) this.connectTo(page, other, times);
    page.waiting.delete(site);
  }

  /** @param more objects of this server that the page has named */
  private connectTo({ connections }: NamingPage, origin: string, more: number): void {
    const made = connections.get(origin) ?? 0;
    const wanted = Math.min(made + more, origin.startsWith('https:') ? 1 : MAX_CLEAR_CONNECTIONS);
    if (made >= wanted || (made === 0 && connections.size >= MAX_SERVERS)) return;
    connections.set(origin, wanted);
    this.connect(origin, wanted);
  }
}
