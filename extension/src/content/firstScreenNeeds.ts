import { MAX_NEEDED_OBJECTS, MAX_NEEDED_URL_CHARS, type NeededKind, type NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { shownImages } from './imageElements.ts';
import { elementsInFirstView, findStyleImages } from './layoutReader.ts';

const FONT = /\.(woff2?|ttf|otf)$/i;

/**
 * What the first screen of this document needed, for the helper to remember: layout files as they stand in the
 * document, fonts, and images in the view at the top of the page. Only what can be asked for ahead just as the document
 * asks, so that it is not fetched twice: nothing with CORS or integrity but fonts, and no module.
 */
export async function firstScreenNeeds(): Promise<NeededObject[]> {
  const entries = new Map(performance.getEntriesByType('resource').map((entry) => [entry.name, entry as PerformanceResourceTiming]));
  const needs = new Map<string, NeededObject>();
  const add = (url: string, kind: NeededKind): void => {
    const entry = entries.get(url);
    // what was never fetched is a cache's or a frame's
    if (entry !== undefined && /^https?:/.test(url) && url.length <= MAX_NEEDED_URL_CHARS) needs.set(url, { url, kind, bytes: entry.encodedBodySize });
  };
  for (const { ownerNode, href } of document.styleSheets) if (href !== null && ownerNode instanceof HTMLLinkElement && isPlain(ownerNode)) add(href, 'style');
  for (const script of document.scripts) if (script.src !== '' && script.type !== 'module' && !script.async && isPlain(script)) add(script.src, 'script');
  for (const url of entries.keys()) if (FONT.test(url.split(/[?#]/, 1)[0] ?? '')) add(url, 'font');
  for (const url of await imagesInFirstView(entries)) add(url, 'image');
  return [...needs.values()].slice(0, MAX_NEEDED_OBJECTS);
}

async function imagesInFirstView(entries: ReadonlyMap<string, PerformanceResourceTiming>): Promise<string[]> {
  const ofStyles = new Set([...entries].filter(([url, { initiatorType }]) => initiatorType === 'css' && !FONT.test(url)).map(([url]) => url));
  const shown = shownImages();
  const elements = ofStyles.size === 0 ? [...shown.values()].flat() : document.querySelectorAll('html, body, body *');
  const inView = await elementsInFirstView(elements);
  const ofElements = [...shown].filter(([, showing]) => showing.some((element) => inView.has(element))).map(([url]) => url);
  return [...ofElements, ...(ofStyles.size === 0 ? [] : await findStyleImages(ofStyles, inView))];
}

function isPlain({ crossOrigin, integrity }: HTMLLinkElement | HTMLScriptElement): boolean {
  return crossOrigin === null && integrity === '';
}
