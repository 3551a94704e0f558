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
  private readonly loading = new Map<string, string>();

  constructor(onSettled: () => void) {
    this.onSettled = onSettled;
  }

  /** Fetches that are under way. */
  get loadingCount(): number {
    return this.loading.size;
  }

  loadingUrls(): Iterable<string> {
    return this.loading.values();
  }

  /**
   * @param failedPreload The URL was held before any user of it was seen, so the preload scanner may have asked for it. That request stays
   *   behind as a failed preload and answers the first request for its URL, once and without any network. A first, unmarked request takes it
   *   away; where there was none, that request is held itself and the marked one fails with it, so one more attempt is made.
   */
  fetch(url: string, mode: RequestMode, urgency: FetchUrgency, failedPreload: boolean): void {
    const key = `${mode.crossOrigin ?? '-'} ${mode.referrerPolicy} ${url}`;
    if (this.images.has(key)) return;
    this.loading.set(key, url);
    const settle = (): void => {
      this.loading.delete(key);
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
    if (failedPreload) imageFor(mode, urgency).src = url;
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
