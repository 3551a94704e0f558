import type { Rect } from '../../../shared/src/page/geometry.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import type { ShownPlaces } from '../../../shared/src/protocol/contentSchema.ts';
import { shownImages } from './imageElements.ts';
import { boxOf, viewOf } from './layoutReader.ts';

/** Where the images stand that elements show, as the browser tells after the next frame; null when the document has been replaced meanwhile. */
export function shownPlaces(): Promise<ShownPlaces | null> {
  return new Promise((resolve) => {
    const root = document.documentElement as Element | null;
    if (root === null) {
      resolve(null);
      return;
    }
    const images = shownImages();
    const observer = new IntersectionObserver(
      (entries) => {
        observer.disconnect();
        const ofRoot = entries.find(({ target }) => target === root);
        if (ofRoot === undefined) {
          resolve(null);
          return;
        }
        const view = viewOf(ofRoot);
        const { width, height } = ofRoot.boundingClientRect;
        const boxes = new Map(entries.map((entry) => [entry.target, boxOf(entry, view)]));
        resolve({ view, page: { width, height }, images: placesOf(images, boxes) });
      },
      { root: document },
    );
    observer.observe(root);
    for (const elements of images.values()) for (const element of elements) observer.observe(element);
  });
}

/** An image that is shown in several places stands where it is shown first in the document. */
function placesOf(images: ReadonlyMap<string, readonly Element[]>, boxes: ReadonlyMap<Element, Rect | null>): ShownPlaces['images'] {
  const places: ShownPlaces['images'] = [];
  for (const [url, elements] of images) {
    if (places.length === MAX_REPORTED_IMAGES) break;
    const rect = elements.map((element) => boxes.get(element) ?? null).find((box) => box !== null);
    if (rect !== undefined && url.length <= MAX_URL_CHARS) places.push({ url, rect });
  }
  return places;
}
