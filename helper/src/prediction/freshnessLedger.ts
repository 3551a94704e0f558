import { valueOf, type RawHeaders } from '../http/rawHeaders.ts';
import { freshForMs } from './freshness.ts';

/** Somebody may have emptied the browser's cache, or it was full. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

/**
 * What the browser has been given to keep. It will use that without asking, or ask whether it has changed: in both cases an answer that is fetched ahead is wanted by nobody.
 * Bounded: what was given longest ago is forgotten first. It knows only what came by this way, since this helper was started.
 */
export class FreshnessLedger {
  private readonly maxUrls: number;
  /** By partition and URL: until when the browser is taken to have it. */
  private readonly keptUntilMs = new Map<string, number>();

  constructor(maxUrls: number) {
    this.maxUrls = maxUrls;
  }

  /**
   * The browser got this answer to a GET.
   *
   * @param partition top-level site: browsers keep one cache for each
   * @param nowMs wall clock
   */
  given(partition: string, url: string, status: number, headers: RawHeaders, nowMs: number): void {
    const key = keyOf(partition, url);
    this.keptUntilMs.delete(key);
    const freshMs = freshForMs(status, headers, nowMs);
    if (freshMs === null) return;
    // one that has become stale is asked for with its validator; without one it is fetched anew
    const hasValidator = valueOf(headers, 'etag') !== null || valueOf(headers, 'last-modified') !== null;
    const untilMs = nowMs + (hasValidator ? Math.max(freshMs, KEPT_MS) : freshMs);
    if (untilMs <= nowMs) return;
    this.keptUntilMs.set(key, untilMs);
    for (const oldest of this.keptUntilMs.keys()) if (this.keptUntilMs.size > this.maxUrls) this.keptUntilMs.delete(oldest);
  }

  /** It has asked for it without a validator, so it has it no more. */
  asked(partition: string, url: string): void {
    this.keptUntilMs.delete(keyOf(partition, url));
  }

  isLikelyCached(partition: string, url: string, nowMs: number): boolean {
    return (this.keptUntilMs.get(keyOf(partition, url)) ?? 0) > nowMs;
  }

  get size(): number {
    return this.keptUntilMs.size;
  }
}

function keyOf(partition: string, url: string): string {
  return `${partition} ${url}`;
}
