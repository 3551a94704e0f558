import { urlsOfData } from './imageElements.ts';
import { elementsInView, findStyleImages } from './layoutReader.ts';

/** A page that is being built keeps three quarters of its thread. */
const REST_FACTOR = 3;
/** A document that is hidden during a look makes no frames. */
const REST_LIMIT_MS = 500;

/**
 * Knows which images the view shows otherwise than by an element that names them: styles draw with them, and lazy loaders
 * name them in data attributes and ask for them by an image of their own first. A look takes two frames, and 10 to 30 ms
 * of the page's thread, several times that where both wait for a processor: only when it is asked for, and with a rest
 * after it (docs/adr/0086).
 */
export class DrawnImages {
  /** The elements that the last look has found to draw with images, or to be going to. Where they stand now is for others to say. */
  elements = new Map<Element, readonly string[]>();
  /** Whether that was all: an image that nothing in the view shows stands elsewhere. */
  isWhole = false;
  private readonly looked: (look: number) => void;
  /** The look that is to be taken next; null when there is none. */
  private next: number | null = null;
  private isLooking = false;

  /** @param looked the look of this number, and with it all before, is over */
  constructor(looked: (look: number) => void) {
    this.looked = looked;
  }

  look(look: number): void {
    this.next = look;
    if (!this.isLooking) void this.lookOn();
  }

  private async lookOn(): Promise<void> {
    this.isLooking = true;
    while (this.next !== null) {
      const look = this.next;
      this.next = null;
      const startMs = performance.now();
      const { elements, isWhole } = await elementsInView(false);
      const drawn = await findStyleImages(elements);
      for (const element of elements) {
        const lazy = urlsOfData(element);
        if (lazy.length > 0) drawn.set(element, [...(drawn.get(element) ?? []), ...lazy]);
      }
      [this.elements, this.isWhole] = [drawn, isWhole];
      this.looked(look);
      const tookMs = performance.now() - startMs;
      await new Promise((rested) => setTimeout(rested, Math.min(REST_FACTOR * tookMs, REST_LIMIT_MS)));
    }
    this.isLooking = false;
  }
}
