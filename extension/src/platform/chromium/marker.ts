/**
 * The fragment that tells a released request from a held one. Fragments are never sent, so servers see the clean URL, and the memory cache
 * ignores them, so a marked fetch answers clean requests. Any URL with a fragment passes the gate.
 */
export const RELEASE_MARKER = '#firstscreen';

/** Event by which the script in the page's world says that an image in the shadow tree of its target has fired `error`. */
export const SHADOW_SIGNAL = 'firstscreen-shadow';
