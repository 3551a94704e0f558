import type { BackgroundMessage } from '../../../shared/src/protocol/page.ts';
import type { Release } from '../../../shared/src/page/pageModel.ts';

/** Names one document of one frame; opaque. */
export type DocumentKey = string;

export interface ImageRequest {
  readonly document: DocumentKey;
  readonly tabId: number;
  /** Absolute, without fragment. */
  readonly url: string;
  readonly requestId: string;
}

export interface HeldRequest extends ImageRequest {
  /** Grows with each request that was made, whenever its hold is told. */
  readonly order: number;
}

export type HeldFormats = 'every' | 'large';

/** What the gate needs from the background script. */
export interface GateHost {
  /** Whether a request that could be held may go at once; it is taken to have gone then. Asked only by a gate that decides per request. */
  mayPass(request: ImageRequest): boolean;
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
  /** Whether each request is decided on as it comes (`GateHost.mayPass`); otherwise tabs are set to hold beforehand. */
  readonly decidesPerRequest: boolean;
  /**
   * Holds these formats in these tabs, and lets everything else pass; what is held stays so until released. The last call counts.
   *
   * @param formats `large` are all but those in smallFormats.ts; a gate that decides per request holds every format
   */
  holdIn(tabs: 'all' | ReadonlySet<number>, formats: HeldFormats): Promise<void>;
  /** Lets these objects of the document go, in this order. */
  release(document: DocumentKey, releases: readonly Release[]): void;
  /** Lets go of everything that the document holds or will hold. */
  releaseAll(document: DocumentKey): void;
  /** The document is gone. */
  forget(document: DocumentKey): void;
}
