import type { Rect } from '../../../shared/src/page/geometry.ts';
import { intersects } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/objects.ts';
import { RankClass, rankOf } from '../../../shared/src/scheduling/rank.ts';
import { imageUrlsOf, requestedUrl, withoutFragment } from '../urls/imageUrls.ts';

/** Where each of the wanted URLs stands in the document; a URL that no element uses is missing. */
export type Placements = ReadonlyMap<string, Placement>;

/** Elements that show an image of their own. */
const IMAGE_ELEMENTS = 'img, input[type="image" i], svg image, video[poster]';

export function currentView(): Rect {
  return { x: window.scrollX, y: window.scrollY, width: window.innerWidth, height: window.innerHeight };
}

/** Reads where images are. Forces layout once; costs about 2 us per image. */
export function readImagePlacements(wanted: ReadonlySet<string>, view: Rect): Placements {
  const placements = new Map<string, Placement>();
  for (const element of document.querySelectorAll(IMAGE_ELEMENTS)) {
    const url = shownUrl(element);
    if (url !== null && wanted.has(url)) keepBest(placements, url, placementOf(element, view), view);
  }
  return placements;
}

/**
 * Finds images that styles use in the view, by computed style of the elements there (and their ::before and ::after). Costs some 10 us per element
 * in view and 1 us per other element, so it is for URLs that no image element claims.
 *
 * @param everywhere reads the elements out of view too
 */
export function readStylePlacements(wanted: ReadonlySet<string>, view: Rect, everywhere: boolean): Placements {
  const placements = new Map<string, Placement>();
  for (const element of document.querySelectorAll('html, body, body *')) {
    const placement = placementOf(element, view);
    // an element that is not displayed asks for no images (CSS images are fetched when a displayed element is styled)
    if (placement.state !== 'placed' || (!everywhere && !intersects(placement.rect, view))) continue;
    for (const url of imagesOfStyle(element)) {
      if (wanted.has(url)) keepBest(placements, url, placement, view);
    }
  }
  return placements;
}

/** Where the first of these elements that is in view stands; null when none is. */
export function findInView(elements: Iterable<Element>, view: Rect): Placement | null {
  for (const element of elements) {
    const placement = placementOf(element, view);
    if (isInView(placement, view)) return placement;
  }
  return null;
}

export function isInView(placement: Placement, view: Rect): boolean {
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
  const box = element.getBoundingClientRect();
  // only a box without extent can be no box at all; the list of boxes costs as much again
  if (box.width === 0 && box.height === 0 && element.getClientRects().length === 0) return { state: 'undisplayed' };
  return { state: 'placed', rect: { x: box.x + view.x, y: box.y + view.y, width: box.width, height: box.height } };
}

/** One URL may be used in many places: the one that is needed soonest counts. */
function keepBest(placements: Map<string, Placement>, url: string, found: Placement, view: Rect): void {
  const known = placements.get(url);
  if (known === undefined || urgencyOf(found, view) < urgencyOf(known, view)) placements.set(url, found);
}

function urgencyOf(placement: Placement, view: Rect): number {
  if (placement.state !== 'placed') return Number.POSITIVE_INFINITY;
  if (intersects(placement.rect, view)) return -1;
  return Math.abs(placement.rect.y - view.y);
}

function shownUrl(element: Element): string | null {
  let url: string | null = null;
  if (element instanceof HTMLImageElement) url = element.currentSrc || element.src;
  else if (element instanceof HTMLInputElement) url = element.src;
  else if (element instanceof HTMLVideoElement) url = element.poster;
  else if (element instanceof SVGImageElement) url = URL.canParse(element.href.baseVal, document.baseURI) ? new URL(element.href.baseVal, document.baseURI).href : null;
  return url === null ? null : requestedUrl(withoutFragment(url), origin);
}
