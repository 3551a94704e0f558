import type { DocumentKey, GateHost, RequestGate } from '../gate.ts';
import { documentKeyOf } from '../documentKey.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import { HeldDocument } from './heldDocument.ts';
import { NavigatedFrames } from './navigatedFrames.ts';
import { isWithoutContentScripts } from './restrictedSites.ts';

/** `imageset` is what Firefox calls an image with srcset or <picture>. */
const FILTER = { urls: ['http://*/*', 'https://*/*'], types: ['image', 'imageset'] };
/** A content script starts with its document; one that has not come by then will not come (the user's list of quarantined sites, a sandbox). */
const CONTENT_SCRIPT_LIMIT_MS = 1_000;

/**
 * Firefox: `proxy.onRequest` answered with a promise holds a request before it has a connection; resolving it lets the request go, directly. The
 * page sees only that the image takes longer (docs/adr/0005). When the event page ends, Firefox lets go of what it held.
 *
 * Call synchronously at the top level: Firefox wakes the event page only for listeners that were added there.
 */
export function createGate(host: GateHost): RequestGate {
  const documents = new Map<DocumentKey, HeldDocument>();
  /** Until told otherwise: the event page may have been woken by a request. */
  let holdingTabs: 'all' | ReadonlySet<number> = 'all';
  let nextOrder = 0;
  const navigated = new NavigatedFrames();
  navigated.listen();
  listen();

  function listen(): void {
    if (!browser.proxy.onRequest.hasListener(holdOrPass)) browser.proxy.onRequest.addListener(holdOrPass, FILTER);
  }

  function holdOrPass(details: FirefoxProxyRequest): Promise<undefined> | undefined {
    if (details.tabId < 0 || (holdingTabs !== 'all' && !holdingTabs.has(details.tabId))) return undefined;
    const key = documentKeyOf(details);
    const document = documents.get(key) ?? begin(key, details);
    const url = withoutFragment(details.url);
    if (document === null || document.mustPass(details.requestId, url)) return undefined;
    const released = document.hold(details.requestId, url);
    host.held({ document: key, tabId: details.tabId, url, order: nextOrder });
    nextOrder += 1;
    return released;
  }

  /** @returns null when nothing of the document may be held */
  function begin(key: DocumentKey, details: FirefoxProxyRequest): HeldDocument | null {
    const isNew = navigated.take(details.tabId, details.frameId);
    if (isWithoutContentScripts(details.documentUrl) || !(isNew || host.isConnected(key))) return null;
    const document = new HeldDocument();
    documents.set(key, document);
    setTimeout(() => {
      if (!host.isConnected(key)) document.releaseAll();
    }, CONTENT_SCRIPT_LIMIT_MS);
    return document;
  }

  return {
    isHoldCheap: true,
    holdIn(tabs) {
      holdingTabs = tabs;
      if (tabs === 'all' || tabs.size > 0) listen();
      else browser.proxy.onRequest.removeListener(holdOrPass);
      return Promise.resolve();
    },
    release(key, releases) {
      for (const { url } of releases) documents.get(key)?.release(url);
      host.send(key, { type: 'release', objects: releases });
    },
    releaseAll(key) {
      documents.get(key)?.releaseAll();
      host.send(key, { type: 'releaseAll' });
    },
    forget(key) {
      documents.get(key)?.releaseAll();
      documents.delete(key);
    },
  };
}
