/**
 * Messages between content script and background script, over one port per document. URLs carry no fragment.
 *
 * Types and constants only: the content script is put into every frame, and its schemas are needed on the other side
 * alone (contentSchema.ts).
 */
import type { NeededObject } from '../memory/neededObject.ts';
import type { Rect } from '../page/geometry.ts';
import type { Placement } from '../page/placement.ts';

/** Name of the runtime port. */
export const DOCUMENT_PORT = 'document';
/** Images of one document that are ranked; those beyond it have no rank, and go as images of unknown place do. */
export const MAX_REPORTED_IMAGES = 4000;
/** An image with a longer URL is never held, and has no rank. */
export const MAX_URL_CHARS = 8192;

export interface LayoutReport {
  /** In document coordinates; null before the first layout. */
  readonly view: Rect | null;
  /** Whether anybody sees the document: not so in a background tab, or in one that is prerendered. */
  readonly isVisible: boolean;
  readonly isParsed: boolean;
  /** Number of the last `look` that was heard before the layout was read. */
  readonly look: number;
  /** Images that have not come, and are new or stand elsewhere than the last report said. */
  readonly images: readonly { readonly url: string; readonly placement: Placement }[];
}

export type ContentMessage =
  | ({ readonly type: 'layout' } & LayoutReport)
  /** Answer to `learn`: what the first screen of this page needed. */
  | { readonly type: 'needed'; readonly objects: readonly NeededObject[] }
  /** A service worker answers this document's requests: nothing of it is held. */
  | { readonly type: 'standDown' };

export type BackgroundMessage =
  /**
   * Say where images stand, from now on and whenever that changes. Images are held of which no place is known when the
   * number is a new one.
   */
  | { readonly type: 'look'; readonly look: number }
  /** Open connections to these origins: held images are there. */
  | { readonly type: 'preconnect'; readonly origins: readonly string[] }
  /** When the page has come to rest, say what its first screen needed. */
  | { readonly type: 'learn' };
