import type { Release } from '../../../../shared/src/page/pageModel.ts';
import type { DocumentKey, GateHost, RequestGate } from '../gate.ts';
import { documentKeyOf } from '../documentKey.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';

/** No request waits longer than this, whatever happened to its release. */
const HOLD_LIMIT_MS = 20_000;

interface HeldRequest {
  readonly url: string;
  readonly letGo: () => void;
}

/**
 * Firefox: `proxy.onRequest` answered with a promise holds a request before it has a connection; resolving it lets the request go, directly. The
 * page sees only that the image takes longer (docs/adr/0005). When the event page ends, Firefox answers the promises itself.
 */
export function createGate(host: GateHost): RequestGate {
  const heldByDocument = new Map<DocumentKey, Set<HeldRequest>>();
  const open = new Set<DocumentKey>();

  const hold = (details: FirefoxProxyRequest): Promise<undefined> | undefined => {
    const document = documentKeyOf(details);
    if (details.tabId < 0 || open.has(document)) return undefined;
    const url = withoutFragment(details.url);
    const promise = new Promise<undefined>((resolve) => {
      const timer = setTimeout(() => held.letGo(), HOLD_LIMIT_MS);
      const held: HeldRequest = {
        url,
        letGo: () => {
          clearTimeout(timer);
          heldByDocument.get(document)?.delete(held);
          resolve(undefined);
        },
      };
      const all = heldByDocument.get(document) ?? new Set();
      heldByDocument.set(document, all.add(held));
    });
    host.held({ document, tabId: details.tabId, url });
    return promise;
  };

  return {
    arm() {
      if (!browser.proxy.onRequest.hasListener(hold)) {
        browser.proxy.onRequest.addListener(hold, { urls: ['http://*/*', 'https://*/*'], types: ['image', 'imageset'] });
      }
      return Promise.resolve();
    },
    disarm() {
      browser.proxy.onRequest.removeListener(hold);
      for (const document of [...heldByDocument.keys()]) letAllGo(document);
      return Promise.resolve();
    },
    release(document, releases: readonly Release[]) {
      for (const { url } of releases) {
        for (const held of [...(heldByDocument.get(document) ?? [])]) {
          if (held.url === url) held.letGo();
        }
      }
      host.send(document, { type: 'release', objects: releases });
    },
    releaseAll(document) {
      open.add(document);
      letAllGo(document);
      host.send(document, { type: 'releaseAll' });
    },
    forget(document) {
      letAllGo(document);
      open.delete(document);
      heldByDocument.delete(document);
    },
  };

  function letAllGo(document: DocumentKey): void {
    for (const held of [...(heldByDocument.get(document) ?? [])]) held.letGo();
  }
}
