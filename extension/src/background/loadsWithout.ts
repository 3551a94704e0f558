import type { DocumentKey } from '../platform/gate.ts';

/**
 * In which the page is loaded, on a slow link too, and looked at. So long requests of all tabs go by the browser itself
 * where the route does not know tabs (docs/extension.md, "This page looks broken").
 */
export const PAUSE_MS = 120_000;

interface Load {
  /** The tab asks for its page now, or shows it. */
  hasBegun: boolean;
  /** Of the page; null until it is there. */
  document: DocumentKey | null;
  readonly pausesUntilMs: number;
}

/** The tabs whose page is loaded without Firstscreen once, because it looked broken: until the next page. */
export class LoadsWithout {
  private readonly loads = new Map<number, Load>();

  /** The next page that the tab asks for is such a one; so is what it still shows. */
  ask(tabId: number, nowMs: number): void {
    this.loads.set(tabId, { hasBegun: false, document: null, pausesUntilMs: nowMs + PAUSE_MS });
  }

  /**
   * The tab asks for a page.
   *
   * @param isRedirected the same request has asked for another address before
   * @returns whether that ends such a load
   */
  navigated(tabId: number, isRedirected: boolean): boolean {
    const load = this.loads.get(tabId);
    if (load === undefined || isRedirected) return false;
    if (load.hasBegun) return this.loads.delete(tabId);
    load.hasBegun = true;
    return false;
  }

  /**
   * A document of a tab's page is there: another one may come without being asked for, out of the back/forward cache or
   * prerendered.
   *
   * @returns whether that ends such a load
   */
  shown(tabId: number, document: DocumentKey): boolean {
    const load = this.loads.get(tabId);
    if (load?.hasBegun !== true) return false;
    load.document ??= document;
    return load.document !== document && this.loads.delete(tabId);
  }

  has(tabId: number): boolean {
    return this.loads.has(tabId);
  }

  /** Whether some tab is loading such a page, or has just done so. */
  isPausing(nowMs: number): boolean {
    return [...this.loads.values()].some(({ pausesUntilMs }) => nowMs < pausesUntilMs);
  }

  /** @returns whether that ends such a load */
  forgetTab(tabId: number): boolean {
    return this.loads.delete(tabId);
  }
}
