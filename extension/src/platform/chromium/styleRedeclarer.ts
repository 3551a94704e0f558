import { imageUrlsOf } from '../../urls/imageUrls.ts';

/** Declarations that can name an image. */
const IMAGE_PROPERTIES = ['background-image', 'list-style-image', 'border-image-source', 'mask-image', '-webkit-mask-image', 'content', 'cursor'];
/** Several releases at once make one pass over the style sheets. */
const COALESCE_MS = 20;

/**
 * Makes styles ask again for images that were held. A parsed declaration keeps its failed image for ever, so it is declared anew: by
 * CSSOM where the sheet may be read; a sheet of another origin is processed again as a whole, which the memory cache answers.
 */
export class StyleRedeclarer {
  private readonly urls = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  redeclare(url: string): void {
    this.urls.add(url);
    this.timer ??= setTimeout(() => this.run(), COALESCE_MS);
  }

  private run(): void {
    this.timer = undefined;
    for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) this.redeclareSheet(sheet, sheet.ownerNode);
    for (const element of document.querySelectorAll<HTMLElement>('[style*="url("]')) this.redeclareStyle(element.style, document.baseURI);
    this.urls.clear();
  }

  private redeclareSheet(sheet: CSSStyleSheet, owner: Element | ProcessingInstruction | null): void {
    const rules = readableRules(sheet);
    if (rules === null) return processAgain(owner);
    this.redeclareRules(rules, sheet.href ?? document.baseURI, owner);
  }

  private redeclareRules(rules: CSSRuleList, base: string, owner: Element | ProcessingInstruction | null): void {
    for (const rule of rules) {
      if (rule instanceof CSSImportRule) {
        if (rule.styleSheet !== null) this.redeclareSheet(rule.styleSheet, owner);
        continue;
      }
      if (rule instanceof CSSStyleRule) this.redeclareStyle(rule.style, base);
      if (rule instanceof CSSGroupingRule) this.redeclareRules(rule.cssRules, base, owner);
    }
  }

  private redeclareStyle(style: CSSStyleDeclaration, base: string): void {
    for (const property of IMAGE_PROPERTIES) {
      const value = style.getPropertyValue(property);
      if (!value.includes('url(') || !this.names(value, base)) continue;
      const priority = style.getPropertyPriority(property);
      // an equal declaration is dropped as no change, so it is taken away first; no style is computed in between
      style.removeProperty(property);
      style.setProperty(property, value, priority);
    }
  }

  private names(value: string, base: string): boolean {
    return imageUrlsOf(value, base).some((url) => this.urls.has(url));
  }
}

function readableRules(sheet: CSSStyleSheet): CSSRuleList | null {
  try {
    return sheet.cssRules;
  } catch (error) {
    // thrown for sheets of another origin; anything else is a defect
    if (error instanceof DOMException && error.name === 'SecurityError') return null;
    throw error;
  }
}

function processAgain(owner: Element | ProcessingInstruction | null): void {
  if (owner instanceof HTMLLinkElement) {
    // the page must not see a second `load` of its link
    owner.addEventListener('load', (event) => event.stopImmediatePropagation(), { once: true, capture: true });
    owner.setAttribute('href', owner.getAttribute('href') ?? '');
  } else if (owner instanceof HTMLStyleElement) {
    // eslint-disable-next-line no-self-assign -- replaces the text node, so that its imports are processed again
    owner.textContent = owner.textContent;
  }
}
