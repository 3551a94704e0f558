import type { Rect } from '../../../shared/src/page/geometry.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import type { ShownPlaces } from '../../../shared/src/protocol/contentSchema.ts';
import { shownImages } from './imageElements.ts';
import { boxOf, inNextFrame, viewOf } from './layoutReader.ts';

/** Where the images stand that elements show, as the browser tells after the next frame; null when the document has been replaced meanwhile. */
export async function shownPlaces(): Promise<ShownPlaces | null> {
  const images = shownImages();
  const frame = await inNextFrame([...images.values()].flat());
  if (frame === null) return null;
  const view = viewOf(frame.root);
  const { width, height } = frame.root.boundingClientRect;
  const boxes = new Map(frame.entries.map((entry) => [entry.target, boxOf(entry, view)]));
  return { view, page: { width, height }, images: placesOf(images, boxes) };
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
