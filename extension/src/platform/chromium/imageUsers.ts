import { requestedUrl, withoutFragment } from '../../urls/imageUrls.ts';
import { RELEASE_MARKER } from './marker.ts';

/** Elements that fetch an image; all but videos fire `error` when they do not get it. */
export type ImageUser = HTMLImageElement | HTMLInputElement | SVGImageElement | HTMLLinkElement | HTMLVideoElement;

/** What, beside the URL, decides whether one fetch can answer another. */
export interface RequestMode {
  readonly crossOrigin: string | null;
  readonly referrerPolicy: string;
}

/** The URL whose request was held when this element fires `error`; null when it can not have been held. */
export function heldUrlOf(element: Element): string | null {
  const url = namedUrl(element);
  // other schemes do not pass the gate; a fragment of the page's own does pass it
  if (url === null || !/^https?:/i.test(url) || hasOwnFragment(url)) return null;
  return requestedUrl(withoutFragment(url), origin);
}

export function requestModeOf(user: ImageUser): RequestMode {
  if (user instanceof HTMLImageElement || user instanceof HTMLLinkElement) {
    return { crossOrigin: user.crossOrigin, referrerPolicy: user.referrerPolicy };
  }
  return { crossOrigin: user.getAttribute('crossorigin'), referrerPolicy: '' };
}

/** Setting an attribute to the value it has makes the element fetch again (HTML, "update the image data": relevant mutations). */
export function askAgain(user: ImageUser): void {
  // the preloaded image is there for its users, who ask by themselves
  if (user instanceof HTMLLinkElement) return;
  const attribute = askingAttributeOf(user);
  // image elements ask in a microtask, in the order of their settings; a poster is asked for at once, so that it would be before the marked image
  if (user instanceof HTMLVideoElement) queueMicrotask(() => setAgain(user, attribute));
  else setAgain(user, attribute);
}

/** The browser drops a request in the task after its last user, so it is asked for anew no sooner. */
export const GIVE_UP_MS = 20;

/** Makes the element give its request up, without an event. @returns undoes it, which asks again */
export function stopAsking(user: ImageUser): () => void {
  const attribute = askingAttributeOf(user);
  const value = user.getAttribute(attribute);
  user.removeAttribute(attribute);
  return () => {
    // the page may have given it another one
    if (value !== null && !user.hasAttribute(attribute)) user.setAttribute(attribute, value);
  };
}

function askingAttributeOf(user: ImageUser): string {
  if (user instanceof SVGImageElement) return user.hasAttribute('href') ? 'href' : 'xlink:href';
  if (user instanceof HTMLVideoElement) return 'poster';
  if (user instanceof HTMLLinkElement) return 'href';
  return user.hasAttribute('src') ? 'src' : 'srcset';
}

/** Videos with this poster, of which nothing tells that it was held. */
export function postersOf(url: string): HTMLVideoElement[] {
  // asked for with each release: the browser keeps this collection, where a selector would walk the document each time
  return [...document.getElementsByTagName('video')].filter((video) => video.poster !== '' && heldUrlOf(video) === url);
}

function setAgain(element: Element, attribute: string): void {
  const value = element.getAttribute(attribute);
  if (value !== null) element.setAttribute(attribute, value);
}

function namedUrl(element: Element): string | null {
  // an empty source makes an `error` and no request, and reads as the URL of the document
  if (element.getAttribute('src')?.trim() === '' && !element.hasAttribute('srcset')) return null;
  if (element instanceof HTMLImageElement) return element.currentSrc || element.src;
  if (element instanceof HTMLInputElement) return element.type === 'image' ? element.src : null;
  if (element instanceof SVGImageElement) return new URL(element.href.baseVal, document.baseURI).href;
  if (element instanceof HTMLVideoElement) return element.poster;
  if (element instanceof HTMLLinkElement) return element.rel === 'preload' && element.as === 'image' ? element.href : null;
  return null;
}

function hasOwnFragment(url: string): boolean {
  return url.includes('#') && !url.endsWith(RELEASE_MARKER);
}
