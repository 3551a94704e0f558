import type { Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/placement.ts';
import { RankClass, rankOf } from '../../../shared/src/scheduling/rank.ts';
import { imageUrlsOf } from '../urls/imageUrls.ts';

export function currentView(): Rect {
  return { x: window.scrollX, y: window.scrollY, width: window.innerWidth, height: window.innerHeight };
}

/**
 * Those of these images that styles use in the view, by computed style of the elements there (and their ::before and
 * ::after). Costs some 10 us per element in view and 1 us per other element.
 */
export function findStyleImages(wanted: ReadonlySet<string>, view: Rect): Set<string> {
  const found = new Set<string>();
  for (const element of document.querySelectorAll('html, body, body *')) {
    if (!isInView(placementOf(element, view), view)) continue;
    for (const url of imagesOfStyle(element)) if (wanted.has(url)) found.add(url);
  }
  return found;
}

export function isAnyInView(elements: readonly Element[], view: Rect): boolean {
  return elements.some((element) => isInView(placementOf(element, view), view));
}

function isInView(placement: Placement, view: Rect): boolean {
  return rankOf({ placement }, view).rankClass === RankClass.inView;
}

function* imagesOfStyle(element: Element): Generator<string> {
  for (const pseudo of [null, '::before', '::after']) {
    const style = getComputedStyle(element, pseudo);
    if (pseudo !== null && style.content === 'none') continue;
    for (const value of [style.backgroundImage, style.listStyleImage, style.borderImageSource, style.maskImage, pseudo === null ? '' : style.content]) {
      if (value.includes('url(')) yield* imageUrlsOf(value, document.baseURI, origin);
    }
  }
}

function placementOf(element: Element, view: Rect): Placement {
  return placementAt(element, element.getBoundingClientRect(), view);
}

/** @param box of the element, in the viewport */
export function placementAt(element: Element, box: Rect, view: Rect): Placement {
  // only a box without extent can be no box at all; the list of boxes costs as much again
  if (box.width === 0 && box.height === 0 && !hasBox(element)) return { state: 'undisplayed', near: placeOfHidden(element, view) };
  return { state: 'placed', rect: { x: box.x + view.x, y: box.y + view.y, width: box.width, height: box.height } };
}

function hasBox(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** Lists of hidden elements are long: so many of them may stand before one. */
const MAX_SIBLINGS = 10;

/**
 * Where an element without a box would begin if it had one: below what stands before it, or else where its parent
 * begins.
 */
function placeOfHidden(element: Element, view: Rect): Rect | null {
  let hidden = element;
  let parent = element.parentElement;
  while (parent !== null && !hasBox(parent)) {
    hidden = parent;
    parent = parent.parentElement;
  }
  if (parent === null) return null;
  const pointAt = ({ left }: DOMRect, top: number): Rect => ({ x: left + view.x, y: top + view.y, width: 0, height: 0 });
  let sibling = hidden.previousElementSibling;
  for (let step = 0; step < MAX_SIBLINGS && sibling !== null; step += 1, sibling = sibling.previousElementSibling) {
    if (hasBox(sibling)) return pointAt(sibling.getBoundingClientRect(), sibling.getBoundingClientRect().bottom);
  }
  // that a document begins there says nothing of what it keeps hidden
  return parent === document.body ? null : pointAt(parent.getBoundingClientRect(), parent.getBoundingClientRect().top);
}
