import { RELEASE_MARKER } from './marker.ts';

/**
 * Lets the page's icons pass the gate: they are asked for by the browser itself, without an element's `error`, so a held icon could never
 * be released. The fragment stays in the attribute.
 */
export function markIcons(): void {
  const mark = (): void => {
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel~="icon" i][href]')) {
      if (/^https?:/.test(link.href) && !link.href.includes('#')) link.href += RELEASE_MARKER;
    }
  };
  document.addEventListener('DOMContentLoaded', mark, { once: true });
}
