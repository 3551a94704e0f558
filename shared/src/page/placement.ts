import type { Rect } from './geometry.ts';

/** Where an image stands; only the content script can tell. */
export type Placement =
  /** No element is known yet: the preload scanner saw the URL before the parser came to it. */
  | { readonly state: 'unplaced' }
  /** An element exists and has (or reserves) a box. */
  | { readonly state: 'placed'; readonly rect: Rect }
  /** No element is known that shows it, and not all could be looked at: a style in the view may draw with it. */
  | { readonly state: 'styled' }
  /**
   * An element exists but is not displayed (`display: none`, or clipped away within the view), or nothing in the view
   * draws with it: nothing on screen needs it yet. `near` is where it would probably be, null when nothing tells: a
   * slide show or a menu shows it there without anybody's scrolling.
   */
  | { readonly state: 'undisplayed'; readonly near: Rect | null };
