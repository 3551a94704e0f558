import type { Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/placement.ts';
import { loadingImages } from './imageElements.ts';
import { currentView, placementAt } from './layoutReader.ts';
import { soonestPlacements, type Placements } from './placements.ts';

interface Watched {
  readonly urls: readonly string[];
  /** `unplaced` until the browser has told it. */
  placement: Placement;
}

/**
 * Knows where the images of the document stand that have not come. The browser tells it of each after the next frame,
 * and again when one comes into view or leaves it (IntersectionObserver): no layout is forced. All are asked for anew
 * when the extent of the document has changed, as then its layout has. What moves outside the view without that is not
 * noticed: it is only a place in the order of what comes last.
 */
export class ImageWatcher {
  private readonly watched = new Map<Element, Watched>();
  private readonly observer: IntersectionObserver;
  private extent = '';

  /** @param moved some image is laid out elsewhere than it was, or for the first time */
  constructor(moved: () => void) {
    const noticed = (entries: readonly IntersectionObserverEntry[]): void => {
      const view = currentView();
      for (const { target, boundingClientRect } of entries) {
        const image = this.watched.get(target);
        if (image !== undefined) image.placement = placementAt(target, boundingClientRect, view);
      }
      moved();
    };
    this.observer = new IntersectionObserver(noticed, { root: document });
  }

  /** Looks for images that are new, or have come. @returns whether the browser is going to tell of some */
  collect(): boolean {
    const extent = extentOf();
    const isLaidOutAnew = extent !== this.extent;
    this.extent = extent;
    const loading = new Map(loadingImages());
    for (const element of this.watched.keys()) if (isLaidOutAnew || !loading.has(element)) this.observer.unobserve(element);
    let isTold = false;
    for (const [element, urls] of loading) {
      const known = this.watched.get(element);
      this.watched.set(element, { urls, placement: known?.placement ?? { state: 'unplaced' } });
      if (known !== undefined && !isLaidOutAnew) continue;
      this.observer.observe(element);
      isTold = true;
    }
    for (const element of [...this.watched.keys()]) if (!loading.has(element)) this.watched.delete(element);
    return isTold;
  }

  placements(view: Rect): Placements {
    return soonestPlacements(this.watched.values(), view);
  }
}

/** Of the document and the view; a document may have lost its root. */
function extentOf(): string {
  const root = document.documentElement as Element | null;
  return `${root?.scrollWidth} ${root?.scrollHeight} ${innerWidth} ${innerHeight}`;
}
