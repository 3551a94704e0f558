import type { ContentGate } from '../contentGate.ts';

/** The page's half of a transparent gate: requests wait in the browser, the page sees nothing, so only the ledger of held URLs is kept here. */
export function createTransparentContentGate(): ContentGate {
  const heldUrls = new Set<string>();
  return {
    // what a style shows in view waits for it
    styleScanShare: 0.2,
    preloadsImages: true,
    held(urls) {
      for (const url of urls) heldUrls.add(url);
    },
    release(url) {
      heldUrls.delete(url);
    },
    holding() {
      // a hold is never seen here
    },
    releaseInView() {
      // only the background script can let a request go
    },
    releaseAll() {
      // without a background script the browser lets every held request go by itself
      heldUrls.clear();
    },
    abandoned() {
      this.releaseAll();
    },
    wanted: () => heldUrls,
    unclaimed: () => heldUrls,
    usedInStyle() {
      // a style's request is held like any other and needs no help
    },
  };
}
