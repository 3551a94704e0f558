/** Names one document of one frame; opaque. */
export type DocumentKey = string;

export interface ImageRequest {
  readonly document: DocumentKey;
  readonly tabId: number;
  /** Absolute, without fragment. */
  readonly url: string;
  readonly requestId: string;
  /** Address of the page that the document is part of, or its origin; null where the browser does not tell. */
  readonly page: string | null;
}

export interface HeldRequest extends ImageRequest {
  /** Grows with each request that is held. */
  readonly order: number;
}

/** What the gate needs from the background script. */
export interface GateHost {
  /** Whether a request that could be held may go at once; it is taken to have gone then. */
  mayPass(request: ImageRequest): boolean;
  /** A request was held. Called once per request, so a URL may come again. */
  held(request: HeldRequest): void;
  /**
   * The gate has let go by itself of what nobody has released in time.
   *
   * @param url null for all that the document holds or will hold
   */
  gaveUp(document: DocumentKey, url: string | null): void;
  /** Whether the document's content script is there. */
  isConnected(document: DocumentKey): boolean;
}

/**
 * Holds image requests before they reach the network, and lets them go on demand. One implementation per browser
 * mechanism, and none where a browser has no mechanism that a page does not notice (Chromium without a policy).
 *
 * Whatever happens to the background script, no request may stay held: each implementation has its own way to fail
 * open.
 */
export interface RequestGate {
  /**
   * The browser asks for an image of a lazy element (`loading`) when it comes so near to the view, in CSS pixels, or
   * later.
   */
  readonly lazyMarginPx: number;
  /** Whether requests are held from now on, until released. The last call counts. */
  hold(isHolding: boolean): void;
  /** Lets these images of the document go, in this order. */
  release(document: DocumentKey, urls: readonly string[]): void;
  /** Lets go of everything that the document holds or will hold. */
  releaseAll(document: DocumentKey): void;
  /** The document is gone. */
  forget(document: DocumentKey): void;
}

/** What `imageset` is in Firefox (srcset, <picture>), every browser calls an image too. */
export function isImageType(type: string): boolean {
  return type === 'image' || type === 'imageset';
}
