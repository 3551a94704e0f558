/** A page names some hundred; what was named before is no page's any more. */
const MAX_IMAGES = 2_000;

/** Images that the helper has asked for by itself: to hold one until it is wanted, or there, costs the link nothing. */
export class ForeseenImages {
  private readonly urls = new Set<string>();

  add(urls: readonly string[]): void {
    for (const url of urls) {
      this.urls.delete(url);
      this.urls.add(url);
    }
    for (const oldest of this.urls) {
      if (this.urls.size <= MAX_IMAGES) return;
      this.urls.delete(oldest);
    }
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
