import { MAX_TINY_PX } from '../../../shared/src/page/geometry.ts';
import type { MadeLazy } from '../../../shared/src/protocol/contentSchema.ts';
import { loadingImages } from './imageElements.ts';

/**
 * Chromium gives up in a task of its own what no element wants any more; an element that wants it sooner gets it, and is
 * loaded at once. One task later was too soon for one image of three.
 */
const GIVEN_UP_MS = 50;
/** Where an image element names what it shows (HTML, "uses srcset or picture"). */
const SOURCES = ['srcset', 'src'];

/** An attribute that is off its element for a moment. */
interface Taken {
  readonly image: HTMLImageElement;
  readonly name: string;
  readonly value: string;
}

/**
 * Makes the elements lazy that ask for these images, whose requests are held: each gives its request up, and asks again
 * by itself when the browser finds it near the view (HTML, "lazy loading attributes"). No event is fired for that, as an
 * element without sources has nothing to fail, and the window's `load` does not wait for it any more (docs/adr/0053).
 *
 * @param untilMs of the wall clock: later the images are on their way, and are left alone
 */
export async function makeLazy(urls: readonly string[], untilMs: number): Promise<MadeLazy> {
  const asking = elementsOf(urls);
  const lazy = Date.now() > untilMs ? [] : urls.filter((url) => asking.get(url)?.every(mayBeLazy) === true);
  const images = [...new Set(lazy.flatMap((url) => asking.get(url) ?? []))].filter(mayBeLazy);
  const taken = images.flatMap(takeSources);
  await requestsGivenUp();
  // not before: Firefox asks at once when an element that is lazy already loses its sources
  for (const image of images) image.loading = 'lazy';
  for (const { image, name, value } of taken) if (!image.hasAttribute(name)) image.setAttribute(name, value);
  // who is told lets the requests go, and the browser has to know by then that nobody wants them: where the page's own
  // scripts have kept this thread busy they were given up just now
  await requestsGivenUp();
  const made = new Set(lazy);
  return { lazy, others: urls.filter((url) => !made.has(url)) };
}

function elementsOf(urls: readonly string[]): Map<string, Element[]> {
  const elements = new Map<string, Element[]>(urls.map((url) => [url, []]));
  for (const [element, named] of loadingImages()) for (const url of named) elements.get(url)?.push(element);
  return new Map([...elements].filter(([, asking]) => asking.length > 0));
}

/** In a `<picture>` an image without a source fires `error`. What is not displayed would not come before it is. */
function mayBeLazy(element: Element): element is HTMLImageElement {
  if (!(element instanceof HTMLImageElement) || element.parentElement instanceof HTMLPictureElement) return false;
  return !element.hidden && element.style.display !== 'none' && !SIDES.every((side) => isTiny(element.getAttribute(side)));
}

const SIDES = ['width', 'height'];

function isTiny(declared: string | null): boolean {
  return declared !== null && Number.parseFloat(declared) <= MAX_TINY_PX;
}

function takeSources(image: HTMLImageElement): Taken[] {
  return SOURCES.flatMap((name) => {
    const value = image.getAttribute(name);
    image.removeAttribute(name);
    return value === null ? [] : [{ image, name, value }];
  });
}

function requestsGivenUp(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, GIVEN_UP_MS));
}
