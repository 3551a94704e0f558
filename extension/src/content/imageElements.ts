import { requestedUrl, srcsetUrls, withoutFragment } from '../urls/imageUrls.ts';

const IMAGE_ELEMENTS = 'img, input[type="image" i], svg image, video[poster]';

/** The elements of the document that show an image of their own, by each URL, as it is asked for, that one of them shows or may be loading. */
export function imageElementsByUrl(): Map<string, Element[]> {
  const elementsByUrl = new Map<string, Element[]>();
  for (const element of document.querySelectorAll(IMAGE_ELEMENTS)) {
    for (const named of new Set(namedUrls(element))) {
      const url = requestedUrl(withoutFragment(named), origin);
      const others = elementsByUrl.get(url);
      if (others === undefined) elementsByUrl.set(url, [element]);
      else others.push(element);
    }
  }
  return elementsByUrl;
}

function namedUrls(element: Element): string[] {
  if (element instanceof HTMLImageElement) return element.complete ? [element.currentSrc || element.src] : urlsOfLoading(element);
  if (element instanceof HTMLInputElement) return [element.src];
  if (element instanceof HTMLVideoElement) return [element.poster];
  if (element instanceof SVGImageElement) return resolved([element.href.baseVal]);
  return [];
}

/** Chromium names the candidate that it has chosen only when its first bytes have come, and until then what was shown before (HTML, currentSrc). */
function urlsOfLoading(image: HTMLImageElement): string[] {
  const sources = image.parentElement instanceof HTMLPictureElement ? image.parentElement.querySelectorAll('source') : [];
  const srcsets = [image, ...sources].map(({ srcset }) => srcset).filter((srcset) => srcset !== '');
  return [image.src, image.currentSrc, ...resolved(srcsets.flatMap(srcsetUrls))];
}

function resolved(urls: readonly string[]): string[] {
  return urls.flatMap((url) => (URL.canParse(url, document.baseURI) ? [new URL(url, document.baseURI).href] : []));
}
