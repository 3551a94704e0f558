import type { ImageUse } from './placements.ts';
import { elementsInView, findStyleImages } from './layoutReader.ts';
import { urlsOfData } from './imageElements.ts';

/** Between two looks that nobody asks for: each takes some milliseconds of the page's. */
const PAUSE_MS = 500;

/**
 * Knows which images the view shows otherwise than by an element that names them: styles draw with them, and lazy loaders
 * name them in data attributes and ask for them by an image of their own first. A look takes two frames.
 */
export class DrawnImages {
  private urls: ReadonlySet<string> = new Set();
  /** Whether what was found the last time is all: an image that nothing in the view shows stands elsewhere. */
  isWhole = false;
  private readonly looked: (look: number) => void;
  /** The look that is to be taken next; null when there is none. */
  private next: number | null = null;
  private isLooking = false;
  private endedMs = -Infinity;

  /** @param looked the look of this number, and with it all before, is over */
  constructor(looked: (look: number) => void) {
    this.looked = looked;
  }

  get uses(): ImageUse {
    return { urls: [...this.urls], placement: { state: 'styled' } };
  }

  /** @param isAsked whether somebody waits for it */
  look(look: number, isAsked: boolean): void {
    if (!isAsked && performance.now() < this.endedMs + PAUSE_MS) return;
    this.next = look;
    if (!this.isLooking) void this.lookOn();
  }

  private async lookOn(): Promise<void> {
    this.isLooking = true;
    while (this.next !== null) {
      const look = this.next;
      this.next = null;
      const { elements, isWhole } = await elementsInView(false);
      const urls = await findStyleImages(elements);
      for (const element of elements) for (const url of urlsOfData(element)) urls.add(url);
      [this.urls, this.isWhole, this.endedMs] = [urls, isWhole, performance.now()];
      this.looked(look);
    }
    this.isLooking = false;
  }
}
