import { SHADOW_SIGNAL } from './marker.ts';

/** At most one search of the whole document in this time. */
const SEARCH_MS = 200;

/**
 * The document's shadow trees, open and closed: events of their images do not leave them, and queries do not enter.
 *
 * They are found when it matters: the script in the page's world signals the first `error` in a tree that a script attached, and a URL that
 * nobody in the document claims starts a search.
 */
export class ShadowRoots {
  private readonly roots = new Set<ShadowRoot>();
  private readonly found: (root: ShadowRoot) => void;
  private searchTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param found called once for each tree */
  constructor(found: (root: ShadowRoot) => void) {
    this.found = found;
    window.addEventListener(
      SHADOW_SIGNAL,
      (event) => {
        if (!(event.target instanceof Element) || !this.enter(event.target)) return;
        // says that the error has been seen to
        event.preventDefault();
      },
      true,
    );
  }

  [Symbol.iterator](): Iterator<ShadowRoot> {
    for (const root of this.roots) if (!root.isConnected) this.roots.delete(root);
    return this.roots.values();
  }

  searchSoon(): void {
    this.searchTimer ??= setTimeout(() => {
      this.searchTimer = undefined;
      this.search(document);
    }, SEARCH_MS);
  }

  private search(within: Document | ShadowRoot): void {
    for (const element of within.querySelectorAll('*')) this.enter(element);
  }

  /** @returns whether there was a tree that was not known */
  private enter(host: Element): boolean {
    const root = host instanceof HTMLElement ? chrome.dom.openOrClosedShadowRoot(host) : null;
    if (root === null) return false;
    const isNew = !this.roots.has(root);
    if (isNew) {
      this.roots.add(root);
      this.found(root);
    }
    const before = this.roots.size;
    this.search(root);
    return isNew || this.roots.size > before;
  }
}
