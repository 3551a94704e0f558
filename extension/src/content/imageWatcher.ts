import { isSameRect, type Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/objects.ts';
import { imageElementsByUrl } from './imageElements.ts';
import { currentView, placementAt, placementOf } from './layoutReader.ts';
import { PlacementLedger, type Placements } from './placementLedger.ts';

/** What an image element shows is in these. */
const IMAGE_ATTRIBUTES: ReadonlySet<string> = new Set(['src', 'srcset', 'poster']);

/**
 * Knows where the wanted images of the document are. Each is read once when it is found; then the browser tells when one comes into view or leaves it,
 * and all are read again when the extent of the document has changed, as then its layout has. What moves outside the view without that is not noticed:
 * it is only a place in the order of what comes last.
 */
export class ImageWatcher {
  private readonly ledger = new PlacementLedger<Element>();
  /** The elements of the document, by the URLs of the images that they may show; none for a URL that was looked for in vain. Null when it must be made anew. */
  private elementsByUrl: Map<string, Element[]> | null = null;
  private readonly observer: IntersectionObserver;
  private view: Rect | null = null;
  private extent = '';
  /** Something was told that only a look at the elements can answer. */
  private isStale = true;

  /** @param moved something was laid out elsewhere as it came into view, or left it */
  constructor(moved: () => void) {
    const noticed = (entries: readonly IntersectionObserverEntry[]): void => {
      const view = currentView();
      let hasMoved = false;
      for (const { target, boundingClientRect } of entries) hasMoved = this.replace(target, placementAt(target, boundingClientRect, view)) || hasMoved;
      if (!hasMoved) return;
      this.isStale = true;
      moved();
    };
    this.observer = new IntersectionObserver(noticed, { root: document });
  }

  mutated(mutations: readonly MutationRecord[]): void {
    if (!mutations.some(changesImages)) return;
    this.elementsByUrl = null;
    this.isStale = true;
  }

  /** Other URLs are wanted than at the last `read`, or it must look at everything again. */
  wantedOthers(): void {
    this.isStale = true;
  }

  /** Whether `read` could tell anything; asked at each frame that an image arrives in, it costs next to nothing. */
  hasNews(view: Rect): boolean {
    return this.isStale || this.view === null || !isSameRect(this.view, view) || this.extent !== extentOf(view);
  }

  /** Whether a wanted image is an element's. */
  has(url: string): boolean {
    return this.ledger.has(url);
  }

  /** The next `read` tells these again. */
  forgetTold(urls: Iterable<string>): void {
    for (const url of urls) this.ledger.markChanged(url);
    this.isStale = true;
  }

  /**
   * Where those of the wanted URLs stand that are found, or were laid out elsewhere, since the last call; all of them when the view has changed. Forces
   * layout, which costs nothing when a frame has just been made.
   */
  read(wanted: ReadonlySet<string>, view: Rect): Placements {
    this.isStale = false;
    this.forgetUnwanted(wanted);
    const extent = extentOf(view);
    if (extent !== this.extent) {
      this.extent = extent;
      // another size may choose another image
      this.elementsByUrl = null;
      for (const element of this.ledger.elements()) this.replace(element, placementOf(element, view));
    }
    if (this.view === null || !isSameRect(this.view, view)) for (const url of wanted) this.ledger.markChanged(url);
    this.view = view;
    this.find(wanted, view);
    return this.ledger.takeChanged(view);
  }

  private find(wanted: ReadonlySet<string>, view: Rect): void {
    const known = this.elementsByUrl;
    // what an element shows can change in ways that no mutation tells, but not without a request
    const isAnew = known === null || [...wanted].some((url) => !known.has(url));
    const elementsByUrl = isAnew ? imageElementsByUrl() : known;
    this.elementsByUrl = elementsByUrl;
    for (const url of wanted) {
      if (!isAnew && this.ledger.has(url)) continue;
      const elements = elementsByUrl.get(url) ?? [];
      elementsByUrl.set(url, elements);
      for (const element of elements) {
        if (this.ledger.urlOf(element) === url) continue;
        this.ledger.place(element, url, placementOf(element, view));
        this.observer.observe(element);
      }
    }
  }

  private replace(element: Element, placement: Placement): boolean {
    const url = this.ledger.urlOf(element);
    return url !== undefined && this.ledger.place(element, url, placement);
  }

  private forgetUnwanted(wanted: ReadonlySet<string>): void {
    for (const element of this.ledger.elements()) {
      if (element.isConnected && wanted.has(this.ledger.urlOf(element) ?? '')) continue;
      this.ledger.remove(element);
      this.observer.unobserve(element);
    }
  }
}

/** Whether elements came or went, or may show another image. A gate sets attributes to what they were, to have images asked for again. */
function changesImages({ addedNodes, removedNodes, attributeName, oldValue, target }: MutationRecord): boolean {
  if (attributeName === null) return [...addedNodes, ...removedNodes].some((node) => node instanceof Element);
  return IMAGE_ATTRIBUTES.has(attributeName) && target instanceof Element && target.getAttribute(attributeName) !== oldValue;
}

/** Of the document and the view; a document may have lost its root. */
function extentOf(view: Rect): string {
  const root = document.documentElement as Element | null;
  return `${root?.scrollWidth} ${root?.scrollHeight} ${view.width} ${view.height}`;
}
