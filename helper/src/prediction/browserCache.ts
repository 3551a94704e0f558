import { LRUCache } from 'lru-cache';
import { DAY_MS, cachedUntil, type CachedUntil } from '../../../shared/src/memory/cachedUntil.ts';
import { valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { bypassesCache } from './browserRequest.ts';
import { freshForMs } from './freshness.ts';

/** Somebody may have emptied the browser's cache, or it was full. */
const VALIDATED_MS = 7 * 24 * 3600 * 1000;
const MAX_URLS = 20_000;
const MAX_ORIGINS = 1_000;
const VALIDATORS = ['if-none-match', 'if-modified-since'];
const OK = 200;
const NOT_MODIFIED = 304;

/** Times are those of the monotonic clock. */
interface Entry {
  /** The browser uses it, or asks with a validator; in the past where it does not have it. */
  readonly keptMs: number;
  /** The browser uses it without asking. */
  readonly freshMs: number;
  /** Of pages of this origin the memory says so; null for what was seen since this helper was started. */
  readonly rememberedOf: string | null;
}

/**
 * What the browser is taken to have in its cache. It will use that without asking, or ask whether it has changed: in
 * both cases an answer that is fetched ahead is wanted by nobody. Knows what came by this way since this helper was
 * started, and before that what the memory of pages says.
 *
 * The memory is one file for all browsers and profiles of a user, and says of what each object is known to be in a cache
 * whose that is. A page that two of them visit is known of the last one alone.
 */
export class BrowserCache {
  /** By partition and URL. */
  private readonly entries = new LRUCache<string, Entry>({ max: MAX_URLS });
  /** Origins of whose pages the memory was wrong. */
  private readonly emptied = new LRUCache<string, true>({ max: MAX_ORIGINS });
  private readonly now: () => number;
  private readonly wallNow: () => number;
  private readonly profile: string;

  /**
   * @param now milliseconds of a monotonic clock
   * @param wallNow milliseconds of the wall clock
   * @param profile whose cache it is
   */
  constructor(now: () => number, wallNow: () => number, profile: string) {
    this.now = now;
    this.wallNow = wallNow;
    this.profile = profile;
  }

  /** The browser got this answer to a GET. @param partition browsers keep one cache for each */
  given(partition: string, url: string, status: number, headers: RawHeaders): void {
    // what has not changed is kept on, by the fields of this answer (RFC 9111, section 4.3.4)
    const isKept = status === NOT_MODIFIED;
    const freshForNowMs = freshForMs(isKept ? OK : status, headers);
    // a stale answer is asked for with its validator; without one it is fetched anew
    const hasValidator = isKept || valueOf(headers, 'etag') !== null || valueOf(headers, 'last-modified') !== null;
    const freshMs = freshForNowMs ?? 0;
    const keptMs = freshForNowMs !== null && hasValidator ? Math.max(freshMs, VALIDATED_MS) : freshMs;
    this.entries.set(`${partition} ${url}`, { keptMs: this.now() + keptMs, freshMs: this.now() + freshMs, rememberedOf: null });
  }

  /** The browser asks: without a validator it does not have it any more, unless its user wants all anew. */
  asked(partition: string, url: string, headers: RawHeaders): void {
    if (bypassesCache(headers) || VALIDATORS.some((name) => valuesOf(headers, name).length > 0)) return;
    const key = `${partition} ${url}`;
    const wasRemembered = this.has(partition, url) && this.entries.get(key)?.rememberedOf === partition;
    // what a style sheet asks for may be missing for another site's page, where the cache is another one
    if (wasRemembered) this.forgetRemembered(partition);
    this.entries.set(key, { keptMs: 0, freshMs: 0, rememberedOf: null });
  }

  /**
   * The memory says this of an object that a page of this origin needs. What was seen since this helper was started
   * counts more.
   */
  remembered(pageOrigin: string, partition: string, url: string, { keptDay, freshDay, profile }: CachedUntil): void {
    const key = `${partition} ${url}`;
    if (profile !== this.profile || this.entries.has(key) || this.emptied.has(pageOrigin)) return;
    const sinceWallMs = this.now() - this.wallNow();
    this.entries.set(key, { keptMs: keptDay * DAY_MS + sinceWallMs, freshMs: freshDay * DAY_MS + sinceWallMs, rememberedOf: pageOrigin });
  }

  has(partition: string, url: string): boolean {
    return (this.entries.get(`${partition} ${url}`)?.keptMs ?? 0) > this.now();
  }

  /** Whether the browser will use it without asking. */
  isFresh(partition: string, url: string): boolean {
    return (this.entries.get(`${partition} ${url}`)?.freshMs ?? 0) > this.now();
  }

  /**
   * For the memory, of an object that a visit has needed.
   *
   * @param before what the memory says, which holds where nothing was seen since: the object came from the cache
   */
  until(partition: string, url: string, before: CachedUntil | null): CachedUntil | null {
    const entry = this.entries.get(`${partition} ${url}`);
    if (entry === undefined || entry.rememberedOf !== null) return before;
    const toWallMs = this.wallNow() - this.now();
    const until = cachedUntil(this.wallNow(), entry.keptMs + toWallMs, entry.freshMs + toWallMs);
    return until && { ...until, profile: this.profile };
  }

  /** An object that a page was taken to have is gone: its user has emptied the cache. */
  private forgetRemembered(pageOrigin: string): void {
    this.emptied.set(pageOrigin, true);
    for (const [key, { rememberedOf }] of [...this.entries]) if (rememberedOf === pageOrigin) this.entries.delete(key);
  }
}
