import { MAX_NEEDED_OBJECTS, MAX_NEEDED_ORIGINS, MAX_NEEDED_URL_CHARS, type FirstScreenNeeds, type NeededKind, type NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { shownImages } from './imageElements.ts';
import { elementsInFirstView, findStyleImages } from './layoutReader.ts';

const FONT = /\.(woff2?|ttf|otf)$/i;

/**
 * What the first screen of this document needed, for the helper to remember: layout files as they stand in the
 * document, fonts, and images in the view at the top of the page. Of objects only what can be asked for ahead just as the
 * document asks, so that it is not fetched twice: nothing with CORS or integrity but fonts, and no module. Of servers all
 * that any of it came from, and frames in that view.
 */
export async function firstScreenNeeds(): Promise<FirstScreenNeeds> {
  const entries = new Map(performance.getEntriesByType('resource').map((entry) => [entry.name, entry as PerformanceResourceTiming]));
  const needs = new Map<string, NeededObject>();
  const origins = new Set([location.origin]);
  const add = (url: string, kind: NeededKind, isPlain = true): void => {
    const entry = entries.get(url);
    // what was never fetched is a cache's or a frame's
    if (entry === undefined || !/^https?:/.test(url)) return;
    origins.add(new URL(url).origin);
    if (isPlain && url.length <= MAX_NEEDED_URL_CHARS) needs.set(url, { url, kind, bytes: entry.encodedBodySize });
  };
  for (const { ownerNode, href } of document.styleSheets) if (href !== null && ownerNode instanceof HTMLLinkElement) add(href, 'style', isPlain(ownerNode));
  for (const script of document.scripts) if (script.src !== '' && !script.async) add(script.src, 'script', script.type !== 'module' && isPlain(script));
  for (const url of entries.keys()) if (FONT.test(url.split(/[?#]/, 1)[0] ?? '')) add(url, 'font');
  const { images, frames } = await shownInFirstView(entries);
  for (const url of images) add(url, 'image');
  for (const { src } of frames) if (/^https?:/.test(src)) origins.add(new URL(src).origin);
  return { objects: [...needs.values()].slice(0, MAX_NEEDED_OBJECTS), origins: [...origins].slice(0, MAX_NEEDED_ORIGINS) };
}

async function shownInFirstView(entries: ReadonlyMap<string, PerformanceResourceTiming>): Promise<{ readonly images: readonly string[]; readonly frames: readonly HTMLIFrameElement[] }> {
  const ofStyles = new Set([...entries].filter(([url, { initiatorType }]) => initiatorType === 'css' && !FONT.test(url)).map(([url]) => url));
  const shown = shownImages();
  const frames = [...document.querySelectorAll('iframe')];
  const elements = ofStyles.size === 0 ? [...[...shown.values()].flat(), ...frames] : document.querySelectorAll('html, body, body *');
  const inView = await elementsInFirstView(elements);
  const ofElements = [...shown].filter(([, showing]) => showing.some((element) => inView.has(element))).map(([url]) => url);
  const images = [...ofElements, ...(ofStyles.size === 0 ? [] : await findStyleImages(ofStyles, inView))];
  return { images, frames: frames.filter((frame) => inView.has(frame)) };
}

function isPlain({ crossOrigin, integrity }: HTMLLinkElement | HTMLScriptElement): boolean {
  return crossOrigin === null && integrity === '';
}
