import { MAX_NEEDED_OBJECTS, MAX_NEEDED_URL_CHARS } from '../../../shared/src/memory/neededObject.ts';

interface AskedPage {
  /** Before redirects. */
  readonly asked: string;
  readonly url: string;
  /** Of its request, the last one of redirections. */
  readonly method: string;
  readonly fonts: Set<string>;
}

/** How the page that each tab shows was asked for, and what of it the page itself can not tell. */
export class AskedPages {
  private readonly pages = new Map<number, AskedPage>();

  /** @param isRedirected whether the same request has asked for another address before */
  navigated(tabId: number, url: string, isRedirected: boolean, method = 'GET'): void {
    const before = this.pages.get(tabId);
    this.pages.set(tabId, { url, method, asked: isRedirected && before !== undefined ? before.asked : url, fonts: new Set() });
  }

  /** The tab's main document has asked for a font. */
  fontAsked(tabId: number, url: string): void {
    const fonts = this.pages.get(tabId)?.fonts;
    if (fonts !== undefined && fonts.size < MAX_NEEDED_OBJECTS && url.length <= MAX_NEEDED_URL_CHARS) fonts.add(url);
  }

  /** What a tab has asked for last, after redirects; null for a tab that is not known. */
  latest(tabId: number): string | null {
    return this.pages.get(tabId)?.url ?? null;
  }

  /** @returns this URL itself as what was asked for, where it was not redirected to */
  of(tabId: number, url: string): { readonly asked: string; readonly fonts: readonly string[] } {
    const page = this.pages.get(tabId);
    return page?.url === url ? { asked: page.asked, fonts: [...page.fonts] } : { asked: url, fonts: [] };
  }

  /** Whether this page of the tab was asked for by sending something, as far as that was watched: one that comes back out of the browser's memory is not asked for. */
  wasPosted(tabId: number, url: string): boolean {
    const page = this.pages.get(tabId);
    return page !== undefined && page.method !== 'GET' && page.url === url;
  }

  forgetTab(tabId: number): void {
    this.pages.delete(tabId);
  }
}
