export interface CachedPageHost {
  /** Whether a page of another tab is on its way. */
  isLoadingBeside(tabId: number): boolean;
  /** `isShown` is another one now. */
  changed(): void;
}

/**
 * Whether a page that comes out of the browser's cache is what is being loaded: nothing of it can be put in order, and as
 * it takes a quarter of a second, all that is watched and asked for it is felt (docs/adr/0076). Its document came out of
 * the cache, and no image has come over the network since, of whatever tab.
 */
export class CachedPage {
  private readonly host: CachedPageHost;
  isShown = false;

  constructor(host: CachedPageHost) {
    this.host = host;
  }

  /** A tab's main document has begun to come. */
  pageAnswered(tabId: number, fromCache: boolean): void {
    this.set(fromCache && !this.host.isLoadingBeside(tabId));
  }

  /** An image has come over the network. */
  imageFetched(): void {
    this.set(false);
  }

  private set(isShown: boolean): void {
    if (isShown === this.isShown) return;
    this.isShown = isShown;
    this.host.changed();
  }
}
