import { MAX_NEEDED_OBJECTS, MAX_NEEDED_ORIGINS, MAX_NEEDED_URL_CHARS, type FirstScreenNeeds, type NeededKind, type NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { shownImages } from './imageElements.ts';
import { elementsInView, findStyleImages } from './layoutReader.ts';

/**
 * What the first screen of this document needed, for the helper to remember, in this order: what rendering waited for,
 * layout files as they stand in the document, and images in the view at the top of the page; and the servers of all
 * that, those of frames in that view with them. Of fonts the caller knows: those that style sheets of other servers name
 * stand in no timing of the page (Resource Timing, section 4.2).
 */
export async function firstScreenNeeds(): Promise<FirstScreenNeeds> {
  const needs = new Map<string, NeededObject>();
  const origins = new Set([location.origin]);
  const add = (named: string, kind: NeededKind | null): void => {
    // a secure page asks for nothing in clear (Mixed Content, section 4): what is named so is upgraded, or blocked
    const url = location.protocol === 'https:' ? named.replace(/^http:/, 'https:') : named;
    // what can not be parsed an element gives back as it is written
    if (!/^https?:/.test(url) || url.length > MAX_NEEDED_URL_CHARS || !URL.canParse(url)) return;
    origins.add(new URL(url).origin);
    if (kind !== null) needs.set(url, { url, kind });
  };
  // the first paint has waited for these, though a script of the page may have taken their elements out since
  for (const entry of performance.getEntriesByType('resource')) if (isBlocking(entry)) add(entry.name, entry.initiatorType === 'script' ? 'script' : 'style');
  for (const sheet of document.styleSheets) if (sheet.href !== null && sheet.ownerNode instanceof HTMLLinkElement && isApplied(sheet)) add(sheet.href, 'style');
  // what a page puts in by a script of its own is rarely marked so
  for (const script of document.scripts) if (!script.hasAttribute('async')) add(script.src, 'script');
  const shown = shownImages();
  const { elements: inView } = await elementsInView(true);
  for (const [url, showing] of shown) if (showing.some((element) => inView.has(element))) add(url, 'image');
  for (const urls of (await findStyleImages(inView)).values()) for (const url of urls) add(url, 'image');
  for (const element of inView) if (element instanceof HTMLIFrameElement) add(element.src, null);
  return { objects: [...needs.values()].slice(0, MAX_NEEDED_OBJECTS), origins: [...origins].slice(0, MAX_NEEDED_ORIGINS) };
}

/** Only Chromium tells (Resource Timing, `renderBlockingStatus`). */
function isBlocking(entry: PerformanceEntry): entry is PerformanceResourceTiming {
  return 'renderBlockingStatus' in entry && entry.renderBlockingStatus === 'blocking';
}

/** A sheet for print is loaded as well, and the screen does not wait for it. */
function isApplied({ disabled, media }: StyleSheet): boolean {
  return !disabled && matchMedia(media.mediaText || 'all').matches;
}
