/**
 * Messages between content script and background script, over one port per document. URLs carry no fragment.
 *
 * Types and constants only: the content script is put into every frame, and its schemas are needed on the other side alone (pageSchema.ts).
 */
import type { NeededObject } from '../memory/neededObject.ts';
import type { Rect } from '../page/geometry.ts';
import type { Placement } from '../page/objects.ts';

/** Name of the runtime port. */
export const PAGE_PORT = 'page';
/** A document with more objects than this is not one that we can help; the rest is released without a place. */
export const MAX_REPORTED_OBJECTS = 4000;

export interface LayoutReport {
  /** Null before the first layout. */
  readonly view: Rect | null;
  readonly objects: readonly { readonly url: string; readonly placement: Placement }[];
}

export type ContentMessage =
  /** The layout as it stands: the view, and where each held object is. Also the sign of life, which `alive` answers. */
  | ({ readonly type: 'layout' } & LayoutReport)
  /** These held objects are on their way without a plan: they were found to be in view. */
  | { readonly type: 'released'; readonly objects: LayoutReport['objects'] }
  /** The document is parsed: it asks for dozens of images at a stroke no more. Of interest from a tab's main frame. */
  | { readonly type: 'parsed' }
  /** Answer to `learn`: what the first screen of this page needed. */
  | { readonly type: 'needed'; readonly objects: readonly NeededObject[] }
  /** This document can not be helped: release what is held, hold nothing more. */
  | { readonly type: 'standDown'; readonly reason: 'serviceWorker' };

/** What concerns the objects of a document. */
export type DocumentReport = Exclude<ContentMessage, { type: 'parsed' | 'needed' }>;

/** How the browser should rank a released request among those it has (Fetch Priority; RFC 9218 urgency follows from it). */
export type FetchUrgency = 'high' | 'auto' | 'low';

export type BackgroundMessage =
  /** These URLs were held for this document; say where they are. */
  | { readonly type: 'held'; readonly urls: readonly string[] }
  /**
   * From now on images of this document are held, so that an `error` is most likely a hold, or pass. `rttMs` is the link's round trip as far as is
   * known; the images in `passed` were not held, and are on the way.
   */
  | { readonly type: 'holding'; readonly on: boolean; readonly rttMs: number; readonly passed: readonly string[] }
  /** Fetch these now, in this order. */
  | { readonly type: 'release'; readonly objects: readonly { readonly url: string; readonly urgency: FetchUrgency }[] }
  /** Fetch everything that is held, and hold no more. */
  | { readonly type: 'releaseAll' }
  /** Open connections to these origins: held objects live there. */
  | { readonly type: 'preconnect'; readonly origins: readonly string[] }
  /** Ask for these now: earlier visits needed them for the first screen. */
  | { readonly type: 'expected'; readonly objects: readonly NeededObject[] }
  /** When the page has come to rest, say what its first screen needed. */
  | { readonly type: 'learn' }
  /** Answer to `layout`: the background script is alive. */
  | { readonly type: 'alive' };
