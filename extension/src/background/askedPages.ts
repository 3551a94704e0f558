/** What each tab was asked for before redirects led to the page that it shows. */
export class AskedPages {
  private readonly pages = new Map<number, { readonly asked: string; readonly url: string }>();

  /** @param isRedirected whether the same request has asked for another address before */
  navigated(tabId: number, url: string, isRedirected: boolean): void {
    const before = this.pages.get(tabId);
    this.pages.set(tabId, { url, asked: isRedirected && before !== undefined ? before.asked : url });
  }

  /** @returns this URL itself where it was not redirected to */
  before(tabId: number, url: string): string {
    const page = this.pages.get(tabId);
    return page?.url === url ? page.asked : url;
  }

  forgetTab(tabId: number): void {
    this.pages.delete(tabId);
  }
}
