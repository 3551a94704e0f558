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
  /** Searched for in the document as it is, and not found. */
  private readonly missing = new Set<string>();
  private readonly observer: IntersectionObserver;
  private view: Rect | null = null;
  private extent = '';
  private isDocumentNew = true;

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

  /** Elements came, or may show something else. */
  documentChanged(): void {
    this.isDocumentNew = true;
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
      this.isDocumentNew = true;
      for (const element of this.ledger.elements()) this.replace(element, placementOf(element, view));
    }
    if (this.view === null || !isSameRect(this.view, view)) this.forgetTold(wanted);
    this.view = view;
    this.search(wanted, view);
    return this.ledger.takeChanged(view);
  }

  private search(wanted: ReadonlySet<string>, view: Rect): void {
    if (this.isDocumentNew) this.missing.clear();
    const isAnythingNew = [...wanted].some((url) => !this.ledger.has(url) && !this.missing.has(url));
    if (!this.isDocumentNew && !isAnythingNew) return;
    this.isDocumentNew = false;
    for (const element of document.querySelectorAll(IMAGE_ELEMENTS)) {
      const url = shownUrl(element);
      if (url === null || !wanted.has(url) || this.ledger.urlOf(element) === url) continue;
      this.ledger.place(element, url, placementOf(element, view));
      this.observer.observe(element);
    }
    for (const url of wanted) if (!this.ledger.has(url)) this.missing.add(url);
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
