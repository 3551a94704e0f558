import { isSameRect, type Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/objects.ts';
import { IMAGE_ELEMENTS, currentView, placementAt, placementOf, shownUrl } from './layoutReader.ts';
import { PlacementLedger, type Placements } from './placementLedger.ts';

/**
 * Knows where the wanted images of the document are. Each is read once when it is found; then the browser tells when one comes into view or leaves it,
 * and all are read again when the extent of the document has changed, as then its layout has. What moves outside the view without that is not noticed:
 * it is only a place in the order of what comes last.
 */
export class ImageWatcher {
  private readonly ledger = new PlacementLedger<Element>();
  /** The elements of the document as it is, by the URL of the image that they show; null when it must be made anew. */
  private elementsByUrl: ReadonlyMap<string, readonly Element[]> | null = null;
  private readonly observer: IntersectionObserver;
  private view: Rect | null = null;
  private extent = '';

  /** @param moved something was laid out elsewhere as it came into view, or left it */
  constructor(moved: () => void) {
    const noticed = (entries: readonly IntersectionObserverEntry[]): void => {
      const view = currentView();
      let hasMoved = false;
      for (const { target, boundingClientRect } of entries) hasMoved = this.replace(target, placementAt(target, boundingClientRect, view)) || hasMoved;
      if (hasMoved) moved();
    };
    this.observer = new IntersectionObserver(noticed, { root: document });
  }

  mutated(mutations: readonly MutationRecord[]): void {
    if (mutations.some((mutation) => this.bringsImages(mutation))) this.elementsByUrl = null;
  }

  /** Whether a wanted image is an element's. */
  has(url: string): boolean {
    return this.ledger.has(url);
  }

  /** The next `read` tells these again. */
  forgetTold(urls: Iterable<string>): void {
    for (const url of urls) this.ledger.markChanged(url);
  }

  /**
   * Where those of the wanted URLs stand that are found, or were laid out elsewhere, since the last call; all of them when the view has changed. Forces
   * layout, which costs nothing when a frame has just been made.
   */
  read(wanted: ReadonlySet<string>, view: Rect): Placements {
    this.forgetUnwanted(wanted);
    const { scrollWidth, scrollHeight } = document.documentElement;
    const extent = `${scrollWidth} ${scrollHeight} ${view.width} ${view.height}`;
    if (extent !== this.extent) {
      this.extent = extent;
      // another size may choose another image
      this.elementsByUrl = null;
      for (const element of this.ledger.elements()) this.replace(element, placementOf(element, view));
    }
    if (this.view === null || !isSameRect(this.view, view)) this.forgetTold(wanted);
    this.view = view;
    this.find(wanted, view);
    return this.ledger.takeChanged(view);
  }

  private find(wanted: ReadonlySet<string>, view: Rect): void {
    const isDocumentNew = this.elementsByUrl === null;
    this.elementsByUrl ??= imageElementsByUrl();
    for (const url of wanted) {
      if (!isDocumentNew && this.ledger.has(url)) continue;
      for (const element of this.elementsByUrl.get(url) ?? []) {
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

  private bringsImages({ addedNodes, attributeName, target }: MutationRecord): boolean {
    if (addedNodes.length > 0) return [...addedNodes].some((node) => node instanceof Element);
    if (attributeName !== 'src' && attributeName !== 'srcset') return false;
    // the gate sets it to what it was, to have it asked for again
    const url = target instanceof Element ? shownUrl(target) : null;
    return url !== null && this.elementsByUrl?.get(url)?.includes(target as Element) !== true;
  }

  private forgetUnwanted(wanted: ReadonlySet<string>): void {
    for (const element of this.ledger.elements()) {
      if (element.isConnected && wanted.has(this.ledger.urlOf(element) ?? '')) continue;
      this.ledger.remove(element);
      this.observer.unobserve(element);
    }
  }
}

function imageElementsByUrl(): Map<string, Element[]> {
  const elementsByUrl = new Map<string, Element[]>();
  for (const element of document.querySelectorAll(IMAGE_ELEMENTS)) {
    const url = shownUrl(element);
    if (url === null) continue;
    const others = elementsByUrl.get(url);
    if (others === undefined) elementsByUrl.set(url, [element]);
    else others.push(element);
  }
  return elementsByUrl;
}
