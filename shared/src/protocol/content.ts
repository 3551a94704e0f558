/**
 * Messages between content script and background script, over one port per document. URLs carry no fragment.
 *
 * Types and constants only: the content script is put into every frame, and its schemas are needed on the other side
 * alone (contentSchema.ts).
 */

import type { ReferrerPolicy } from '../page/referrerPolicy.ts';

/** Name of the runtime port. */
export const DOCUMENT_PORT = 'document';
/** Images of one document that are ranked; those beyond it have no rank, and go as images of unknown place do. */
export const MAX_REPORTED_IMAGES = 4000;
/** An image with a longer URL is never held, and has no rank. */
export const MAX_URL_CHARS = 8192;

/** What the background script says; contentSchema.ts has the other direction. */
export type BackgroundMessage =
  /**
   * Say where images stand, from now on and whenever that changes. Images are held of which no place is known when the
   * number is a new one.
   */
  | { readonly type: 'look'; readonly look: number }
  /**
   * The data saver: these images are held, and stand far from the view. Their elements are to give their requests up,
   * and to ask again when somebody comes near them. Answered by `madeLazy`.
   *
   * @property untilMs of the wall clock; later they are not to be, as they are asked for by then
   */
  | { readonly type: 'makeLazy'; readonly urls: readonly string[]; readonly untilMs: number }
  /** When the page has come to rest, or loads for long, say what its first screen needed; once. */
  | { readonly type: 'learn' }
  /**
   * When the page has come to rest, say how long its first screen took. `load` comes back with the answer; with
   * `waitsForQuiet` the page is at rest only when nothing has come for a while.
   */
  | { readonly type: 'measure'; readonly load: number; readonly waitsForQuiet: boolean }
  /** Say which links the pointer rests on or presses, from now on or no more. */
  | { readonly type: 'links'; readonly isWatched: boolean }
  /** A panel of the developer tools shows this document, from now on or no more: say all that it shows of it. */
  | { readonly type: 'inspect'; readonly isWatched: boolean };

/** A link to another page that the pointer rests on, or presses; without fragments. */
export interface PointedLink {
  /** URL of the document now. */
  readonly page: string;
  readonly url: string;
  /** It will be followed, as far as that can be told, in this window or a new one. */
  readonly isLikely: boolean;
  /** Of the link, or of the document's markup; null for neither. */
  readonly referrerPolicy: ReferrerPolicy | null;
}
