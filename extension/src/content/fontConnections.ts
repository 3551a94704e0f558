import { preconnect } from './preconnect.ts';

/**
 * Connects for fonts when a style sheet that declares some is there, while what else the layout waits for still comes: browsers ask for a font only when text is
 * laid out with it, and then open the connection (docs/adr/0011). Each origin once.
 */
export function connectForFonts(): void {
  const connected = new Set<string>([origin]);
  let knownFonts = 0;
  // `load` does not bubble
  document.addEventListener('load', ({ target }) => {
    if (!(target instanceof HTMLLinkElement) || target.sheet === null) return;
    const isDeclaringFonts = document.fonts.size > knownFonts;
    knownFonts = document.fonts.size;
    if (!isDeclaringFonts) return;
    for (const fontOrigin of fontOrigins(target.sheet)) {
      if (connected.has(fontOrigin)) continue;
      connected.add(fontOrigin);
      preconnect(fontOrigin, 'omit');
    }
  }, true);
}

const SOURCE_URL = /url\(\s*["']?([^"')]+)/i;

/** Where the fonts that a style sheet declares are; of one that may not be read, where it is itself. */
function fontOrigins(sheet: CSSStyleSheet): string[] {
  const base = sheet.href ?? document.baseURI;
  try {
    const sources = [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? (SOURCE_URL.exec(rule.style.getPropertyValue('src'))?.[1] ?? []) : []));
    return sources.flatMap((source) => webOrigin(source, base));
  } catch {
    // of another origin, without CORS
    return webOrigin(base, base);
  }
}

/** None for a URL of which there is nothing to fetch, as `data:`, or that is none. */
function webOrigin(url: string, base: string): string[] {
  try {
    const { protocol, origin: urlOrigin } = new URL(url, base);
    return protocol.startsWith('http') ? [urlOrigin] : [];
  } catch {
    return [];
  }
}
