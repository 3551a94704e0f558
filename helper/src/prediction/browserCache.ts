import { LRUCache } from 'lru-cache';
import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { freshForMs } from './freshness.ts';

/** Somebody may have emptied the browser's cache, or it was full. */
const VALIDATED_MS = 7 * 24 * 3600 * 1000;
const MAX_URLS = 20_000;
const VALIDATORS = ['if-none-match', 'if-modified-since'];

/**
 * What the browser is taken to have in its cache. It will use that without asking, or ask whether it has changed: in
 * both cases an answer that is fetched ahead is wanted by nobody. Knows only what came by this way since this helper
 * was started.
 */
export class BrowserCache {
  /** By partition and URL, until when it is fresh; an entry ends when the browser would fetch it anew. */
  private readonly entries: LRUCache<string, number>;
  private readonly now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.now = now;
    this.entries = new LRUCache({ max: MAX_URLS, perf: { now }, ttlResolution: 0 });
  }

  /** The browser got this answer to a GET. @param partition browsers keep one cache for each */
  given(partition: string, url: string, status: number, headers: RawHeaders): void {
    const freshMs = freshForMs(status, headers);
    // a stale answer is asked for with its validator; without one it is fetched anew
    const hasValidator = valueOf(headers, 'etag') !== null || valueOf(headers, 'last-modified') !== null;
    const ttl = freshMs === null ? 0 : hasValidator ? Math.max(freshMs, VALIDATED_MS) : freshMs;
    if (ttl > 0) this.entries.set(`${partition} ${url}`, this.now() + (freshMs ?? 0), { ttl });
    else this.entries.delete(`${partition} ${url}`);
  }

  /** The browser asks: without a validator it does not have it any more. */
  asked(partition: string, url: string, headers: RawHeaders): void {
    if (!VALIDATORS.some((name) => valuesOf(headers, name).length > 0)) this.entries.delete(`${partition} ${url}`);
  }

  has(partition: string, url: string): boolean {
    return this.entries.has(`${partition} ${url}`);
  }

  /** Whether the browser will use it without asking. */
  isFresh(partition: string, url: string): boolean {
    return (this.entries.get(`${partition} ${url}`) ?? 0) > this.now();
  }
}
