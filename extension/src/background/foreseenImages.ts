import { BoundedSet } from '../../../shared/src/boundedSet.ts';

/** A page names some hundred; what was named before is no page's any more. */
const MAX_IMAGES = 2_000;

/** Images that the helper has asked for by itself: to hold one until it is wanted, or there, costs the link nothing. */
export class ForeseenImages {
  private readonly urls = new BoundedSet<string>(MAX_IMAGES);

  add(urls: readonly string[]): void {
    for (const url of urls) this.urls.add(url);
  }

  /** Whether it is one; the next request for the same is not. */
  take(url: string): boolean {
    return this.urls.delete(url);
  }

  /** The helper is gone, and what it has asked for with it. */
  clear(): void {
    this.urls.clear();
  }
}
