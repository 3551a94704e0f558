/** Messages between content script and background script, over one port per document. URLs carry no fragment. */
import * as v from 'valibot';
import { PlacementSchema, RectSchema, type Placement } from '../page/objects.ts';
import type { Rect } from '../page/geometry.ts';

/** Name of the runtime port. */
export const PAGE_PORT = 'page';
/** A document with more objects than this is not one that we can help; the rest is released at once. */
export const MAX_REPORTED_OBJECTS = 4000;

const url = v.pipe(v.string(), v.maxLength(8192));

export const ContentMessageSchema = v.variant('type', [
  /** The layout as it stands: the view (null before the first layout) and where each held object is. Also the sign of life. */
  v.strictObject({
    type: v.literal('layout'),
    view: v.nullable(RectSchema),
    objects: v.pipe(v.array(v.strictObject({ url, placement: PlacementSchema })), v.maxLength(MAX_REPORTED_OBJECTS)),
  }),
  /** This document can not be helped: release what is held, hold nothing more. */
  v.strictObject({ type: v.literal('standDown'), reason: v.picklist(['serviceWorker', 'unsupportedDocument']) }),
]);
export type ContentMessage = v.InferOutput<typeof ContentMessageSchema>;

/** How the browser should rank a released request among those it has (Fetch Priority; RFC 9218 urgency follows from it). */
export type FetchUrgency = 'high' | 'auto' | 'low';

export type BackgroundMessage =
  /** These URLs were held for this document; say where they are. */
  | { readonly type: 'held'; readonly urls: readonly string[] }
  /** Fetch these now, in this order. */
  | { readonly type: 'release'; readonly objects: readonly { readonly url: string; readonly urgency: FetchUrgency }[] }
  /** Fetch everything that is held, and hold no more. */
  | { readonly type: 'releaseAll' }
  /** Open connections to these origins: held objects live there. */
  | { readonly type: 'preconnect'; readonly origins: readonly string[] }
  /** Answer to `layout`: the background script is alive. */
  | { readonly type: 'alive' };

export interface LayoutReport {
  readonly view: Rect | null;
  readonly objects: readonly { readonly url: string; readonly placement: Placement }[];
}
