import type { BackgroundMessage } from '../../../shared/src/protocol/page.ts';
import type { Release } from '../../../shared/src/page/pageModel.ts';

/** Names one document of one frame; opaque. */
export type DocumentKey = string;

export interface HeldRequest {
  readonly document: DocumentKey;
  readonly tabId: number;
  /** Absolute, without fragment. */
  readonly url: string;
  /** Grows with each request that was made, whenever its hold is told. */
  readonly order: number;
}

/** What the gate needs from the background script. */
export interface GateHost {
  /** A request was held. Called once per request, so a URL may come again. */
  held(request: HeldRequest): void;
  /** Whether the document's content script is there. */
  isConnected(document: DocumentKey): boolean;
  /** Sends to the document's content script; false when there is none. */
  send(document: DocumentKey, message: BackgroundMessage): boolean;
}

/**
 * Holds image requests before they reach the network, and lets them go on demand. One implementation per browser mechanism.
 *
 * Whatever happens to the background script, no request may stay held: each implementation has its own way to fail open.
 */
export interface RequestGate {
  /** Whether a hold costs the page next to nothing, so that there is no reason to let anything pass. */
  readonly isHoldCheap: boolean;
  /** Holds in these tabs, and lets pass in all others; what is held stays so until released. The last call counts. */
  holdIn(tabs: 'all' | ReadonlySet<number>): Promise<void>;
  /** Lets these objects of the document go, in this order. */
  release(document: DocumentKey, releases: readonly Release[]): void;
  /** Lets go of everything that the document holds or will hold. */
  releaseAll(document: DocumentKey): void;
  /** The document is gone. */
  forget(document: DocumentKey): void;
}
