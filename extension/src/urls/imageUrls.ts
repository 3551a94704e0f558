/** URLs as the gate knows them: absolute, http or https, without fragment. */

export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

/**
 * The URL that is asked for when a page names this one: on a secure page an image's http: becomes https: (Mixed Content, section 4.1), except for
 * addresses and the local host.
 *
 * @param pageOrigin of the document, which its frames without a URL share
 */
export function requestedUrl(url: string, pageOrigin: string): string {
  if (!pageOrigin.startsWith('https:') || !url.startsWith('http:') || !URL.canParse(url)) return url;
  const { hostname } = new URL(url);
  if (/^(?:\d+\.){3}\d+$|^\[|(?:^|\.)localhost$/.test(hostname)) return url;
  return url.replace('http:', 'https:');
}

/** The URLs that are asked for when a document uses a CSS value. */
export function imageUrlsOf(value: string, base: string, pageOrigin: string): string[] {
  const urls: string[] = [];
  for (const match of value.matchAll(/url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^)\s]*))\s*\)/g)) {
    const raw = (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1');
    if (!URL.canParse(raw, base)) continue;
    const url = new URL(raw, base).href;
    if (/^https?:/.test(url)) urls.push(requestedUrl(withoutFragment(url), pageOrigin));
  }
  return urls;
}

/**
 * The URLs that a srcset names, as they are written there, in its order. Generous: a text that is a mistake in a srcset may come out as a URL.
 *
 * @param srcset HTML, srcset attributes: URLs without white space, each with descriptors (`2x`, `640w`) after white space, parted by commas
 */
export function srcsetUrls(srcset: string): string[] {
  // a comma ends a descriptor, but may be within a URL
  const words = srcset.replace(/(\s[\d.]+[xwh]),/g, '$1 , ').split(/\s+/);
  return words.map((word) => word.replace(/^,+|,+$/g, '')).filter((word) => word !== '' && !/^[\d.]+[xwh]$/.test(word));
}
