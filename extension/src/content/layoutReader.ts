/**
 * Reads what the browser tells of its own layout. Nothing here forces style or layout: Chromium asks for what a style
 * names as the world whose script had the style computed, so a forced style's pictures would be loaded past the page's
 * Content Security Policy and be missing from its resource timing.
 */

import type { Rect } from '../../../shared/src/page/geometry.ts';
import { RankClass, rankOf } from '../../../shared/src/scheduling/rank.ts';
import { imageUrlsOf } from '../urls/imageUrls.ts';

/** A first screen is made of the first elements of a document, mostly. */
const MAX_ELEMENTS = 5_000;

/** The view, in pixels from the root element's box. @param entry of the root element */
export function viewOf({ boundingClientRect: { x, y }, rootBounds }: IntersectionObserverEntry): Rect {
  return { x: -x, y: -y, width: rootBounds?.width ?? 0, height: rootBounds?.height ?? 0 };
}

/** Where an element stands, in pixels from the root element's box; null when it has no box. @param view of the same frame */
export function boxOf({ boundingClientRect: { x, y, width, height } }: IntersectionObserverEntry, view: Rect): Rect | null {
  // the browser tells the same of a box without extent at the very corner of the view
  if (x === 0 && y === 0 && width === 0 && height === 0) return null;
  return { x: x + view.x, y: y + view.y, width, height };
}

/**
 * Whether an element that stands in the view is clipped away there, as a slide show's ancestors do with the slides
 * beside the one that they show. What has no height because an ancestor has none does not count: pages unfold that as
 * they load.
 */
export function isClipped({ boundingClientRect, intersectionRect, isIntersecting, rootBounds }: IntersectionObserverEntry): boolean {
  if (rootBounds === null || !isInView(boundingClientRect, rootBounds)) return false;
  return !isIntersecting || (boundingClientRect.width > 0 && intersectionRect.width === 0);
}

/** What is seen of a document. */
export interface Seen {
  readonly elements: ReadonlySet<Element>;
  /** Whether that is all: neither was the document too long to look at whole, nor has anything seen a tree of its own (DOM, shadow trees). */
  readonly isWhole: boolean;
}

/** What the browser has told of one frame. */
interface Frame {
  /** Of the root element. */
  readonly root: IntersectionObserverEntry;
  readonly entries: readonly IntersectionObserverEntry[];
}

/** Where the root element and these stand, once the next frame has been made; null where there is no root, or a script has written another document meanwhile. */
export async function inNextFrame(elements: readonly Element[]): Promise<Frame | null> {
  const asked = document.documentElement as Element | null;
  if (asked === null) return null;
  const entries = await new Promise<readonly IntersectionObserverEntry[]>((resolve) => {
    const observer = new IntersectionObserver(
      (told) => {
        observer.disconnect();
        resolve(told);
      },
      { root: document },
    );
    for (const element of new Set([asked, ...elements])) observer.observe(element);
  });
  const root = entries.find(({ target }) => target === document.documentElement);
  return root === undefined ? null : { root, entries };
}

/** The elements that are seen in the view, once the next frame has been made. @param isAtTop of the page, wherever the view is now */
export async function elementsInView(isAtTop: boolean): Promise<Seen> {
  const all = firstElements();
  const frame = all.length === 0 ? null : await inNextFrame(all.slice(0, MAX_ELEMENTS));
  if (frame === null) return { elements: new Set(), isWhole: false };
  const now = viewOf(frame.root);
  const view = isAtTop ? { ...now, x: 0, y: 0 } : now;
  const elements = frame.entries.filter((entry) => !isClipped(entry) && isInView(boxOf(entry, now), view)).map(({ target }) => target);
  return { elements: new Set(elements), isWhole: all.length <= MAX_ELEMENTS && !elements.some(hasOwnTree) };
}

/** The first elements of the page, in its order; one more than are looked at where there are more. */
function firstElements(): Element[] {
  const body = document.querySelector('body');
  const found: Element[] = [document.querySelector('html'), body].filter((element) => element !== null);
  if (body === null) return found;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT);
  while (found.length <= MAX_ELEMENTS && walker.nextNode() !== null) found.push(walker.currentNode as Element);
  return found;
}

function hasOwnTree({ localName, shadowRoot }: Element): boolean {
  return shadowRoot !== null || localName.includes('-');
}

function isInView(rect: Rect | null, view: Rect): boolean {
  return rect !== null && rankOf({ placement: { state: 'placed', rect } }, view).rankClass === RankClass.inView;
}

/**
 * Images that the styles of these elements (and their ::before and ::after) use, by element. Reads computed styles inside
 * the next frame, when they are computed already.
 */
export function findStyleImages(elements: Iterable<Element>): Promise<Map<Element, string[]>> {
  return new Promise((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      const found = new Map<Element, string[]>();
      for (const element of elements) {
        const urls = [...imagesOfStyle(element)];
        if (urls.length > 0) found.set(element, urls);
      }
      resolve(found);
    });
    const root = document.documentElement as Element | null;
    if (root === null) resolve(new Map());
    else observer.observe(root);
  });
}

function* imagesOfStyle(element: Element): Generator<string> {
  for (const pseudo of [null, '::before', '::after']) {
    const style = getComputedStyle(element, pseudo);
    if (pseudo !== null && style.content === 'none') continue;
    for (const value of [style.backgroundImage, style.listStyleImage, style.borderImageSource, style.maskImage, pseudo === null ? '' : style.content]) {
      if (value.includes('url("http')) yield* imageUrlsOf(value, document.baseURI, origin);
    }
  }
}
