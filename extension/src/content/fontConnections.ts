import { preconnect } from './preconnect.ts';

/**
 * Connects for fonts when a style sheet that declares some is there, while what else the layout waits for still comes: browsers ask for a font only when text is
 * laid out with it, and then open the connection (docs/adr/0011, 0013). Each origin once.
 */
export class FontConnections {
  private readonly connected = new Set<string>([origin]);
  private knownFonts = 0;

  /** The style sheet has come. */
  connectFor(sheet: CSSStyleSheet): void {
    const isDeclaringFonts = document.fonts.size > this.knownFonts;
    this.knownFonts = document.fonts.size;
    if (!isDeclaringFonts) return;
    for (const fontOrigin of fontOrigins(sheet)) {
      if (this.connected.has(fontOrigin)) continue;
      this.connected.add(fontOrigin);
      preconnect(fontOrigin, 'omit');
    }
  }
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
