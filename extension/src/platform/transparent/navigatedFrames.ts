/**
 * Frames that were navigated under our eyes and whose new document has not asked for an image yet. It tells documents that may be held from those
 * that were there before this event page was: their content script talks to nobody, so nobody could rank what they ask for.
 */
export class NavigatedFrames {
  private readonly framesByTab = new Map<number, Set<number>>();

  /** Registers its listeners; call synchronously at the top level. */
  listen(): void {
    chrome.webRequest.onBeforeRequest.addListener(
      ({ tabId, frameId }) => {
        this.add(tabId, frameId);
        return undefined;
      },
      { urls: ['http://*/*', 'https://*/*'], types: ['main_frame', 'sub_frame'] },
    );
    chrome.tabs.onRemoved.addListener((tabId) => this.framesByTab.delete(tabId));
  }

  /** @returns whether the frame was navigated; the next call for it answers no */
  take(tabId: number, frameId: number): boolean {
    return this.framesByTab.get(tabId)?.delete(frameId) ?? false;
  }

  private add(tabId: number, frameId: number): void {
    if (frameId === MAIN_FRAME) this.framesByTab.delete(tabId);
    const frames = this.framesByTab.get(tabId) ?? new Set();
    this.framesByTab.set(tabId, frames.add(frameId));
  }
}

const MAIN_FRAME = 0;
