import type { FetchUrgency } from '../../../../shared/src/protocol/page.ts';
import type { RequestMode } from './imageUsers.ts';
import { RELEASE_MARKER } from './marker.ts';

/** An arrived image is kept this long for a user that asks late (the parser behind a blocking script, a style that is declared anew). */
const KEEP_ARRIVED_MS = 30_000;

/**
 * Fetches released URLs into the renderer's memory cache, each once per request mode, with the marker that passes the gate.
 *
 * The memory cache keeps no strong reference of its own, so the loading images are kept here.
 */
export class MemoryCacheWarmer {
  private readonly images = new Map<string, HTMLImageElement>();
  private readonly onSettled: () => void;
  private loading = 0;

  constructor(onSettled: () => void) {
    this.onSettled = onSettled;
  }

  /** Fetches that are under way. */
  get loadingCount(): number {
    return this.loading;
  }

  /**
   * @param failedPreload The URL was held before any user of it was seen, so the preload scanner may have asked for it. That request stays
   *   behind as a failed preload and answers the first request for its URL, once and without any network; the second attempt is then the real one.
   */
  fetch(url: string, mode: RequestMode, urgency: FetchUrgency, failedPreload: boolean): void {
    const key = `${mode.crossOrigin ?? '-'} ${mode.referrerPolicy} ${url}`;
    if (this.images.has(key)) return;
    this.loading += 1;
    const settle = (): void => {
      this.loading -= 1;
      setTimeout(() => this.images.delete(key), KEEP_ARRIVED_MS);
      this.onSettled();
    };
    const start = (onError: () => void): void => {
      const image = imageFor(mode, urgency);
      image.addEventListener('load', settle, { once: true });
      image.addEventListener('error', onError, { once: true });
      this.images.set(key, image);
      image.src = url + RELEASE_MARKER;
    };
    start(failedPreload ? () => start(settle) : settle);
  }
}

function imageFor(mode: RequestMode, urgency: FetchUrgency): HTMLImageElement {
  const image = new Image();
  if (mode.crossOrigin !== null) image.crossOrigin = mode.crossOrigin;
  if (mode.referrerPolicy !== '') image.referrerPolicy = mode.referrerPolicy;
  image.fetchPriority = urgency;
  return image;
}
