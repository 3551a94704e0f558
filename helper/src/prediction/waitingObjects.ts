import { LRUCache } from 'lru-cache';
import type { Foreseen, Page } from '../../../shared/src/node/foresight/foreseen.ts';

/** What a page names of one origin. */
interface Waiting {
  readonly page: Page;
  readonly objects: Foreseen[];
}

const MAX_ORIGINS = 500;
const MAX_OBJECTS = 200;

/**
 * Objects of pages that are not foreseen before the browser has asked their origin: until then it is not known whether
 * it will, and with which cookies. Of two loads of a page the later one counts.
 */
export class WaitingObjects {
  /** By partition and origin. */
  private readonly waiting: LRUCache<string, Waiting>;

  /**
   * @param ttlMs after which a page has loaded
   * @param now milliseconds of a monotonic clock
   */
  constructor(ttlMs: number, now: () => number) {
    this.waiting = new LRUCache({ max: MAX_ORIGINS, ttl: ttlMs, perf: { now } });
  }

  add(partition: string, origin: string, page: Page, object: Foreseen): void {
    const key = `${partition} ${origin}`;
    const known = this.waiting.get(key);
    if (known?.page.load !== page.load) this.waiting.set(key, { page, objects: [object] });
    else if (known.objects.length < MAX_OBJECTS) known.objects.push(object);
  }

  /** What waits for this origin, once; null for nothing. */
  take(partition: string, origin: string): Waiting | null {
    const key = `${partition} ${origin}`;
    const waiting = this.waiting.get(key) ?? null;
    this.waiting.delete(key);
    return waiting;
  }
}
