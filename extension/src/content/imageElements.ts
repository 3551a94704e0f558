import { MAX_URL_CHARS } from '../../../shared/src/protocol/content.ts';
import { imageUrlsOf, requestedUrl, srcsetUrls, withoutFragment } from '../urls/imageUrls.ts';

const IMAGE_ELEMENTS = 'img, input[type="image" i], svg image, video[poster]';
const IS_ASKED_FOR = /^https?:/;
/** Whose own style names images, as those of cards and of the heads of pages do. */
const STYLED_ELEMENTS = '[style*="url(" i]';

/**
 * The elements of the document that show an image which has not come, each with the URLs, as they are asked for, of
 * which it is going to show one. Of images that its own style names nobody tells whether they have come.
 */
export function* loadingImages(): Generator<readonly [Element, readonly string[]]> {
  for (const element of document.querySelectorAll(`${IMAGE_ELEMENTS}, ${STYLED_ELEMENTS}`)) {
    const urls = new Set([...namedUrls(element).map((url) => requestedUrl(withoutFragment(url), origin)), ...urlsOfOwnStyle(element)]);
    const asked = [...urls].filter((url) => IS_ASKED_FOR.test(url));
    if (asked.length > 0) yield [element, asked];
  }
}

/** The elements that show an image, by each URL that one of them shows; without those of `data:`, which lazy loaders put into hundreds. */
export function shownImages(): Map<string, Element[]> {
  const elementsByUrl = new Map<string, Element[]>();
  for (const element of document.querySelectorAll(IMAGE_ELEMENTS)) {
    const named = element instanceof HTMLImageElement ? [element.currentSrc || element.src] : namedUrls(element);
    for (const name of named) {
      if (!IS_ASKED_FOR.test(name)) continue;
      const url = requestedUrl(withoutFragment(name), origin);
      const showing = elementsByUrl.get(url);
      if (showing === undefined) elementsByUrl.set(url, [element]);
      else showing.push(element);
    }
  }
  return elementsByUrl;
}

function namedUrls(element: Element): string[] {
  if (element instanceof HTMLImageElement) return element.complete ? [] : urlsOfLoading(element);
  if (element instanceof HTMLInputElement) return [element.src];
  if (element instanceof HTMLVideoElement) return [element.poster];
  if (element instanceof SVGImageElement) return resolved([element.href.baseVal]);
  return [];
}

/**
 * Chromium names the candidate that it has chosen only when its first bytes have come, and until then what was shown
 * before (HTML, currentSrc).
 */
function urlsOfLoading(image: HTMLImageElement): string[] {
  const sources = image.parentElement instanceof HTMLPictureElement ? image.parentElement.querySelectorAll('source') : [];
  const srcsets = [image, ...sources].map(({ srcset }) => srcset).filter((srcset) => srcset !== '');
  return [image.src, image.currentSrc, ...resolved(srcsets.flatMap(srcsetUrls))];
}

/** One that is longer holds pictures (data:) rather than their URLs. */
function urlsOfOwnStyle(element: Element): string[] {
  const style = element.getAttribute('style') ?? '';
  return style.length > MAX_URL_CHARS ? [] : imageUrlsOf(style, document.baseURI, origin);
}

/** By which lazy loaders name what they will show there. */
const DATA_NAME = /^data-(?:[\w-]*-)?(?:src|srcset|original|lazy|bg|background|image|img)(?:-|$)/;
const PATH = /^(?:https?:\/)?\/|^\.{1,2}\/|\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;

/** The images that an element may come to show: what its data attributes name. */
export function urlsOfData(element: Element): string[] {
  const named: string[] = [];
  // not `attributes`: a form has its field of that name there
  for (const name of element.getAttributeNames()) {
    const value = DATA_NAME.test(name) ? (element.getAttribute(name) ?? '') : '';
    if (value === '' || value.length > MAX_URL_CHARS) continue;
    if (value.includes('url(')) named.push(...imageUrlsOf(value, document.baseURI, origin));
    else named.push(...resolved((name.includes('srcset') ? srcsetUrls(value) : [value]).filter((each) => PATH.test(each))).map((url) => requestedUrl(withoutFragment(url), origin)));
  }
  return named.filter((url) => IS_ASKED_FOR.test(url));
}

function resolved(urls: readonly string[]): string[] {
  return urls.flatMap((url) => (URL.canParse(url, document.baseURI) ? [new URL(url, document.baseURI).href] : []));
}
