import type { Rect } from '../../shared/src/page/geometry.ts';
import type { FrameLayout, ImageKind, NeededImage } from './artifacts.ts';

/**
 * Runs inside a document, in an isolated world: which pictures does the final layout show within `clip`?
 *
 * The function is sent to the browser as text, so it must not refer to anything outside itself.
 *
 * @param clip the part of this document's viewport that is in the first viewport of the page
 * @param offset where this document's viewport lies in the page's
 */
export function collectFrame(clip: Rect, offset: { readonly x: number; readonly y: number }): FrameLayout {
  const MIN_AREA_PX = 1;
  const URL_IN_CSS = /url\("((?:[^"\\]|\\.)*)"\)/g;
  const SHOWN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };

  const intersect = (a: Rect, b: Rect): Rect => {
    const x = Math.max(a.x, b.x);
    const y = Math.max(a.y, b.y);
    return { x, y, width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x), height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y) };
  };
  const hasArea = (rect: Rect) => rect.width * rect.height >= MIN_AREA_PX;

  const parentOf = (element: Element): Element | null => {
    if (element.assignedSlot) return element.assignedSlot;
    if (element.parentElement) return element.parentElement;
    const root = element.getRootNode();
    return root instanceof ShadowRoot ? root.host : null;
  };

  /** What is left of the element's box after the view and every clipping ancestor (CSS 2.2 section 11.1: only containing blocks clip). */
  const visibleRect = (element: Element, style: CSSStyleDeclaration): Rect => {
    let rect = intersect(element.getBoundingClientRect(), clip);
    let position = style.position;
    for (let parent = parentOf(element); parent && hasArea(rect) && position !== 'fixed'; parent = parentOf(parent)) {
      // The overflow of the root and the body belongs to the viewport.
      if (parent === document.body || parent === document.documentElement) break;
      const parentStyle = getComputedStyle(parent);
      const contains = position !== 'absolute' || parentStyle.position !== 'static' || parentStyle.transform !== 'none';
      if (!contains) continue;
      if (parentStyle.overflowX !== 'visible' || parentStyle.overflowY !== 'visible') rect = intersect(rect, parent.getBoundingClientRect());
      position = parentStyle.position;
    }
    return rect;
  };

  const images: NeededImage[] = [];
  const add = (rawUrl: string, kind: ImageKind, rect: Rect) => {
    let url: URL;
    try {
      url = new URL(rawUrl, document.baseURI);
    } catch {
      return; // No URL, so nothing that could be fetched.
    }
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return;
    url.hash = '';
    images.push({ url: url.href, kind, rect: { x: rect.x + offset.x, y: rect.y + offset.y, width: rect.width, height: rect.height } });
  };

  const addStyleImages = (style: CSSStyleDeclaration, rect: Rect) => {
    const values = [style.backgroundImage, style.maskImage, style.borderImageSource, style.content];
    if (style.display === 'list-item') values.push(style.listStyleImage);
    for (const value of values) {
      for (const match of value.matchAll(URL_IN_CSS)) add((match[1] ?? '').replace(/\\(.)/g, '$1'), 'background', rect);
    }
  };

  const addElement = (element: Element) => {
    if (!element.checkVisibility(SHOWN)) return;
    const style = getComputedStyle(element);
    const isCanvas = element === document.documentElement || element === document.body;
    // The background of the root, or of the body, is painted over the whole view (CSS backgrounds, section 2.11.2).
    const rect = isCanvas ? clip : visibleRect(element, style);
    if (!hasArea(rect)) return;
    if (element instanceof HTMLImageElement) add(element.currentSrc || element.src, 'image', rect);
    else if (element instanceof HTMLInputElement && element.type === 'image') add(element.src, 'input', rect);
    else if (element instanceof HTMLVideoElement && element.poster) add(element.poster, 'poster', rect);
    else if (element instanceof SVGImageElement) add(element.href.baseVal, 'svg', rect);
    addStyleImages(style, rect);
    for (const pseudo of ['::before', '::after']) {
      const pseudoStyle = getComputedStyle(element, pseudo);
      if (pseudoStyle.content !== 'none' && pseudoStyle.content !== 'normal' && pseudoStyle.display !== 'none') addStyleImages(pseudoStyle, rect);
    }
  };

  const walk = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) {
      addElement(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);

  const unusedStyleSheets = [...document.styleSheets]
    .filter((sheet) => sheet.disabled || !matchMedia(sheet.media.mediaText || 'all').matches)
    .flatMap((sheet) => (sheet.href === null ? [] : [sheet.href]));
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const domContentLoaded = navigation?.domContentLoadedEventStart ?? 0;
  return {
    url: document.URL,
    timeOriginMs: performance.timeOrigin,
    domContentLoadedMs: domContentLoaded > 0 ? performance.timeOrigin + domContentLoaded : null,
    images,
    unusedStyleSheets,
  };
}
