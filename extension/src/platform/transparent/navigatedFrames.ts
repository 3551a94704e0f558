import { WEB_URLS } from '../../urls/webUrls.ts';
import { MAIN_FRAME } from '../documentKey.ts';

/**
 * Frames whose document has come under our eyes. It tells documents that may be held from those that were there before
 * this event page was: their content script talks to nobody, so nobody could rank what they ask for.
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
      { urls: WEB_URLS, types: ['main_frame', 'sub_frame'] },
    );
    chrome.tabs.onRemoved.addListener((tabId) => this.framesByTab.delete(tabId));
  }

  has(tabId: number, frameId: number): boolean {
    return this.framesByTab.get(tabId)?.has(frameId) === true;
  }

  private add(tabId: number, frameId: number): void {
    if (frameId === MAIN_FRAME) this.framesByTab.delete(tabId);
    const frames = this.framesByTab.get(tabId) ?? new Set();
    this.framesByTab.set(tabId, frames.add(frameId));
  }
}
