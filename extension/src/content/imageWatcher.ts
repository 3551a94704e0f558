import type { Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/placement.ts';
import { loadingImages } from './imageElements.ts';
import { boxOf, isClipped, viewOf } from './layoutReader.ts';
import { soonestPlacements, type Placements } from './placements.ts';

/**
 * Knows where the images of the document stand that have not come, and the view. The browser tells it after the next
 * frame (IntersectionObserver): no style or layout is forced. Of images without a box it asks for the nearest ancestor
 * that has one.
 */
export class ImageWatcher {
  private images = new Map<Element, readonly string[]>();
  /** As the browser has told them; null for elements without a box. */
  private boxes = new Map<Element, Rect | null>();
  /** Those with a box in the view of which nothing is seen. */
  private readonly clipped = new WeakSet<Element>();
  /** The view when the browser last told it; null before that. */
  view: Rect | null = null;
  /** Whether all elements of the document itself were there when they were collected. */
  isParsed = false;
  /** Time of the frame that `view` is of. */
  private frameMs = 0;
  private readonly drawing: () => Map<Element, readonly string[]>;
  private readonly observer: IntersectionObserver;

  /**
   * @param drawing elements that show images which they do not name; those that have left the page are taken out, or it could not let go of what it has replaced
   * @param placed the view and the place of every image have been told
   * @param moved something has moved since, or more has to be asked for: to be collected again
   */
  constructor(drawing: () => Map<Element, readonly string[]>, placed: () => void, moved: () => void) {
    this.drawing = drawing;
    const noticed = (entries: readonly IntersectionObserverEntry[]): void => {
      const isWhole = this.keep(entries);
      placed();
      if (!isWhole) moved();
    };
    this.observer = new IntersectionObserver(noticed, { root: document });
  }

  /** Looks for images that are new, or have come, and has the browser tell where all of them stand. */
  collect(): void {
    this.keep(this.observer.takeRecords());
    this.observer.disconnect();
    this.isParsed = document.readyState !== 'loading';
    this.images = new Map(loadingImages());
    const drawing = this.drawing();
    for (const [element, urls] of drawing) {
      if (element.isConnected) this.images.set(element, [...(this.images.get(element) ?? []), ...urls]);
      else drawing.delete(element);
    }
    const root = document.documentElement as Element | null;
    if (root === null) return;
    const asked = new Set([root]);
    for (const image of this.images.keys()) {
      asked.add(image);
      for (let hidden = image; this.boxes.get(hidden) === null && hidden.parentElement !== null; hidden = hidden.parentElement) asked.add(hidden.parentElement);
    }
    this.boxes = new Map([...this.boxes].filter(([element]) => asked.has(element)));
    for (const element of asked) this.observer.observe(element);
  }

  placements(view: Rect): Placements {
    return soonestPlacements([...this.images].map(([image, urls]) => ({ urls, placement: this.placementOf(image) })), view);
  }

  /** @returns whether all was told in one frame, and nothing is missing */
  private keep(entries: readonly IntersectionObserverEntry[]): boolean {
    const root = entries.find(({ target }) => target === document.documentElement);
    if (root !== undefined) [this.view, this.frameMs] = [viewOf(root), root.time];
    if (this.view === null) return true;
    let isWhole = true;
    for (const entry of entries) {
      // of a later frame, whose view is not known
      if (entry.time !== this.frameMs) isWhole = false;
      else {
        this.boxes.set(entry.target, boxOf(entry, this.view));
        if (isClipped(entry)) this.clipped.add(entry.target);
        else this.clipped.delete(entry.target);
      }
    }
    return isWhole && entries.every(({ target }) => this.boxes.get(target) !== null || target.parentElement === null || this.boxes.has(target.parentElement));
  }

  private placementOf(image: Element): Placement {
    const box = this.boxes.get(image);
    if (box === undefined) return { state: 'unplaced' };
    if (box !== null) return this.clipped.has(image) ? { state: 'undisplayed', near: box } : { state: 'placed', rect: box };
    let parent = image.parentElement;
    while (parent !== null && this.boxes.get(parent) === null) parent = parent.parentElement;
    const near = parent === null ? undefined : this.boxes.get(parent);
    // that a document begins there says nothing of what it keeps hidden
    return { state: 'undisplayed', near: near === undefined || near === null || parent === document.body ? null : { ...near, width: 0, height: 0 } };
  }
}
