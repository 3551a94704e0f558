/**
 * Keeps the window's `load` event back until the images have arrived that it would have waited for: a held image has failed in the
 * browser's eyes, so `load` fires early, and pages measure and lay out images there.
 */
export class LoadEventKeeper {
  private readonly missing: () => number;
  private waiting = false;

  /** @param missing how many images are held or on the way */
  constructor(missing: () => number) {
    this.missing = missing;
    window.addEventListener('load', this.onLoad, true);
  }

  /** An image has arrived or failed. */
  settled(): void {
    if (!this.waiting || this.missing() > 0) return;
    this.waiting = false;
    window.dispatchEvent(new Event('load'));
  }

  private readonly onLoad = (event: Event): void => {
    // images and scripts fire their own `load`, which passes here on the way down
    if (event.target !== document || !event.isTrusted) return;
    window.removeEventListener('load', this.onLoad, true);
    if (this.missing() === 0) return;
    event.stopImmediatePropagation();
    this.waiting = true;
  };
}
