/**
 * Messages between content script and background script, over one port per document. URLs carry no fragment.
 *
 * Types and constants only: the content script is put into every frame, and its schemas are needed on the other side
 * alone (contentSchema.ts).
 */

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
  /** When the page has come to rest, say what its first screen needed. */
  | { readonly type: 'learn' };
