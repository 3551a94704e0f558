import { LRUCache } from 'lru-cache';
import type { DocumentKey, GateHost, RequestGate } from '../gate.ts';
import { documentKeyOf, type DocumentDetails } from '../documentKey.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import { HeldDocument } from './heldDocument.ts';
import { NavigatedFrames } from './navigatedFrames.ts';

/** An image request as every browser's event tells of it. */
export interface ImageDetails extends DocumentDetails {
  readonly requestId: string;
  readonly url: string;
}

/** Answers the browser's event: a promise holds the request until it is resolved, `undefined` lets it pass. */
export type HoldOrPass<Request> = (request: Request) => Promise<undefined> | undefined;

/** The browser's event for image requests. */
export interface ImageRequestEvent<Request> {
  listen(listener: HoldOrPass<Request>): void;
  unlisten(listener: HoldOrPass<Request>): void;
  /** Whether no content script runs in the document that asks, though its requests are shown. */
  isWithoutContentScripts(request: Request): boolean;
  /** Of the gate. */
  readonly lazyMarginPx: number;
  /** The address of the page that the document is part of, or its origin; null where the browser does not tell. */
  pageOf(request: Request): string | null;
}

/**
 * A content script starts with its document; one that has not come by then will not come (a list of the user's, a
 * sandbox, a PDF).
 */
const CONTENT_SCRIPT_LIMIT_MS = 1_000;
/** More than are open at once. */
const MAX_DOCUMENTS = 1_000;

/**
 * A gate where the browser lets an extension answer a request with a promise, before the request has a connection. The
 * page sees only that the image takes longer. When the background script ends, the browser lets go of what it held.
 *
 * Call synchronously at the top level: the browser wakes the background script only for listeners that were added
 * there.
 */
export function createTransparentGate<Request extends ImageDetails>(host: GateHost, event: ImageRequestEvent<Request>): RequestGate {
  // of some that are gone nobody says so; the one that has asked for nothing for longest goes, and with it what it holds
  const documents = new LRUCache<DocumentKey, HeldDocument>({ max: MAX_DOCUMENTS, dispose: (document) => document.releaseAll() });
  let isHolding = false;
  let nextOrder = 0;
  const navigated = new NavigatedFrames();
  navigated.listen();
  // until told otherwise: the background script may have been woken by a request
  hold(true);

  function holdOrPass(request: Request): Promise<undefined> | undefined {
    // what a browser asks for before a document is there (Early Hints, RFC 8297) has no content script either
    if (request.tabId < 0 || request.documentId === undefined) return undefined;
    const key = documentKeyOf(request);
    const document = documents.get(key) ?? begin(key, request);
    const url = withoutFragment(request.url);
    if (document === null || document.mustPass(request.requestId, url)) return undefined;
    const image = { document: key, tabId: request.tabId, url, requestId: request.requestId, page: event.pageOf(request) };
    if (host.mayPass(image)) {
      document.pass(request.requestId);
      return undefined;
    }
    const released = document.hold(request.requestId, url);
    host.held({ ...image, order: nextOrder });
    nextOrder += 1;
    return released;
  }

  /** @returns null when nothing of the document may be held */
  function begin(key: DocumentKey, request: Request): HeldDocument | null {
    if (event.isWithoutContentScripts(request) || !(host.isConnected(key) || navigated.has(request.tabId, request.frameId))) return null;
    const document = new HeldDocument((url) => host.gaveUp(key, url));
    documents.set(key, document);
    setTimeout(() => {
      if (host.isConnected(key)) return;
      document.releaseAll();
      host.gaveUp(key, null);
    }, CONTENT_SCRIPT_LIMIT_MS);
    return document;
  }

  function hold(holds: boolean): void {
    if (holds === isHolding) return;
    isHolding = holds;
    if (holds) event.listen(holdOrPass);
    else event.unlisten(holdOrPass);
  }

  return {
    lazyMarginPx: event.lazyMarginPx,
    hold,
    release(key, urls) {
      for (const url of urls) documents.get(key)?.release(url);
    },
    releaseAll(key) {
      documents.get(key)?.releaseAll();
    },
    forget(key) {
      documents.delete(key);
    },
  };
}
