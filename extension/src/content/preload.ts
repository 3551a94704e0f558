import type { NeededKind, NeededObject } from '../../../shared/src/memory/neededObject.ts';

const PRELOAD_AS: Readonly<Record<NeededKind, string>> = { style: 'style', script: 'script', font: 'font', image: 'image' };

/** Our elements, whose events are not the page's. */
const preloads = new WeakSet<HTMLLinkElement>();

/**
 * Asks for objects that this document is going to need (HTML, link type "preload"): the browser has them, or has them coming, when the document comes to them. The elements
 * go when they have done their work, and no listener of the page hears of them.
 */
export function preload(objects: readonly NeededObject[]): void {
  const root = document.documentElement as Element | null;
  window.addEventListener('error', hideError, true);
  for (const { url, kind } of objects) {
    const link = document.createElement('link');
    preloads.add(link);
    link.rel = 'preload';
    link.as = PRELOAD_AS[kind];
    if (kind === 'font') link.crossOrigin = 'anonymous';
    link.href = url;
    root?.append(link);
  }
}

/** Unlike `load`, `error` passes the window on its way. */
function hideError(event: Event): void {
  if (event.target instanceof HTMLLinkElement) hidePreload(event, event.target);
}

/** Takes an event of ours from the page, and the element with it. @returns whether it was one */
export function hidePreload(event: Event, link: HTMLLinkElement): boolean {
  if (!preloads.has(link)) return false;
  event.stopImmediatePropagation();
  link.remove();
  return true;
}
