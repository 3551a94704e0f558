import { imageUrlsOf } from '../../urls/imageUrls.ts';
import { GIVE_UP_MS } from './imageUsers.ts';

const MAX_TIMES_PROCESSED = 3;
const MIN_GATHER_MS = 10;

/** What can hold declarations of this document. */
type StyleRoot = Document | ShadowRoot;

/**
 * Makes styles ask again for images that were held. A parsed declaration keeps its failed image for ever, so it is declared anew: by
 * CSSOM where the sheet may be read; a sheet of another origin is processed once more as a whole, which the caches answer if they may.
 */
export class StyleRedeclarer {
  private readonly roots: () => Iterable<StyleRoot>;
  private readonly urls = new Set<string>();
  private readonly namedBySheet = new WeakMap<CSSStyleSheet, { readonly ruleCount: number; readonly urls: ReadonlySet<string> }>();
  private readonly parsedByCopy = new WeakMap<Element, () => void>();
  /** The latest copy of a sheet, by its owner. */
  private readonly copies = new WeakMap<Element, Element>();
  private readonly timesProcessed = new Map<string, number>();
  /** What sheets that can not be read are to ask for again, and what is to be done then. */
  private readonly unread = new Map<string, () => void>();
  /**
   * How long a pass waits for more: each makes the browser compute the styles of the whole document anew, some 50 ms of a large page's main
   * thread. Must be less than a fetch takes, so that what is declared anew finds its fetch under way.
   */
  gatherMs = 0;
  /** What all readable declarations name; kept until this task's end, because a release of many asks for each. */
  private named: ReadonlySet<string> | null = null;

  constructor(roots: () => Iterable<StyleRoot>) {
    this.roots = roots;
    for (const type of ['load', 'error']) {
      document.addEventListener(
        type,
        (event) => {
          const parsed = event.target instanceof Element ? this.parsedByCopy.get(event.target) : undefined;
          if (parsed === undefined) return;
          // the page knows nothing of the copy
          event.stopImmediatePropagation();
          parsed();
        },
        true,
      );
    }
  }

  /** Whether a declaration that can be read names this URL. */
  mayName(url: string): boolean {
    if (this.named === null) {
      this.named = this.allNames();
      queueMicrotask(() => (this.named = null));
    }
    return this.named.has(url);
  }

  private allNames(): Set<string> {
    const names = new Set<string>();
    for (const root of this.roots()) {
      for (const element of styledElements(root)) for (const url of namesOf(element.style, document.baseURI)) names.add(url);
      for (const sheet of sheetsOf(root)) for (const url of this.namedBy(sheet)) names.add(url);
    }
    return names;
  }

  /** Has all that readable declarations name asked for, where `wanted`; what no displayed element uses is not asked for. */
  redeclareAll(wanted: (url: string) => boolean): void {
    for (const url of this.allNames()) if (wanted(url)) this.redeclare(url);
  }

  /** Has it asked for soon, while its fetch is under way. Several calls make one pass. */
  redeclare(url: string): void {
    if (this.urls.size === 0) {
      // two turns: the marked images of this task ask in its microtasks, and must be first
      if (this.gatherMs < MIN_GATHER_MS) queueMicrotask(() => queueMicrotask(() => this.run()));
      else setTimeout(() => this.run(), this.gatherMs);
    }
    this.urls.add(url);
  }

  /**
   * As `redeclare`, for a URL that a displayed element uses though no declaration that can be read names it. Several calls make one pass.
   *
   * @param parsed called when a sheet has been processed again and its images are about to be asked for
   */
  redeclareUnread(url: string, parsed: () => void): void {
    // a sheet or an image that no cache may answer for must not be fetched for ever
    const times = this.timesProcessed.get(url) ?? 0;
    if (times >= MAX_TIMES_PROCESSED) return;
    this.timesProcessed.set(url, times + 1);
    if (this.unread.size === 0) setTimeout(() => this.processUnread(), Math.max(this.gatherMs, MIN_GATHER_MS));
    this.unread.set(url, parsed);
  }

  private processUnread(): void {
    const parsed = [...this.unread.values()];
    this.unread.clear();
    const owners = new Set<Element>();
    for (const root of this.roots()) {
      for (const sheet of root.styleSheets) if (sheet.ownerNode instanceof Element && !this.parsedByCopy.has(sheet.ownerNode) && hasUnread(sheet)) owners.add(sheet.ownerNode);
    }
    for (const owner of owners) this.processAgain(owner, parsed);
  }

  /**
   * Puts a copy behind the sheet: the cascade stays as it is, and the copy's images are asked for. Its own sheet stays, so nothing flashes; an
   * earlier copy goes when this one is there.
   */
  private processAgain(owner: Element, parsed: readonly (() => void)[]): void {
    const copy = owner.cloneNode(true) as Element;
    for (const { name } of [...copy.attributes]) if (name === 'id' || name.startsWith('on')) copy.removeAttribute(name);
    const earlier = this.copies.get(owner);
    this.copies.set(owner, copy);
    this.parsedByCopy.set(copy, () => {
      earlier?.remove();
      for (const ask of parsed) ask();
    });
    (earlier ?? owner).after(copy);
  }

  /** Takes declarations of these away until the browser has given their requests up, and declares them anew: for requests that hang. */
  restart(wanted: (url: string) => boolean): void {
    const declareAgain = this.takeAway(wanted);
    computeStyles();
    setTimeout(() => {
      for (const declare of declareAgain) declare();
      computeStyles();
    }, GIVE_UP_MS);
  }

  private run(): void {
    // an equal declaration is dropped as no change, so it is taken away first; no style is computed in between
    for (const declare of this.takeAway((url) => this.urls.has(url))) declare();
    this.urls.clear();
    computeStyles();
  }

  /** @returns puts them back; to be called in this order */
  private takeAway(wanted: (url: string) => boolean): (() => void)[] {
    const putBack: (() => void)[] = [];
    const visit = (style: CSSStyleDeclaration, base: string): void => {
      for (const property of [...style]) {
        const value = style.getPropertyValue(property);
        if (!value.includes('url(') || !imageUrlsOf(value, base, origin).some(wanted)) continue;
        const priority = style.getPropertyPriority(property);
        style.removeProperty(property);
        putBack.push(() => style.setProperty(property, value, priority));
      }
    };
    for (const root of this.roots()) {
      for (const sheet of sheetsOf(root)) eachStyle(sheet, visit);
      for (const element of styledElements(root)) visit(element.style, document.baseURI);
    }
    return putBack;
  }

  private namedBy(sheet: CSSStyleSheet): ReadonlySet<string> {
    const ruleCount = readableRules(sheet)?.length ?? 0;
    const known = this.namedBySheet.get(sheet);
    // imports arrive later without a change of this sheet, so sheets with imports are read anew
    if (known?.ruleCount === ruleCount && !(readableRules(sheet)?.[0] instanceof CSSImportRule)) return known.urls;
    const urls = new Set<string>();
    eachStyle(sheet, (style, base) => {
      for (const url of namesOf(style, base)) urls.add(url);
    });
    this.namedBySheet.set(sheet, { ruleCount, urls });
    return urls;
  }
}

/** Styles ask for their images when they are computed, which in a hidden page would be much later. */
function computeStyles(): void {
  getComputedStyle(document.documentElement).getPropertyValue('color');
}

function sheetsOf(root: StyleRoot): CSSStyleSheet[] {
  return [...root.styleSheets, ...root.adoptedStyleSheets];
}

function styledElements(root: StyleRoot): Iterable<HTMLElement> {
  return root.querySelectorAll<HTMLElement>('[style*="url("]');
}

function namesOf(style: CSSStyleDeclaration, base: string): string[] {
  const { cssText } = style;
  return cssText.includes('url(') ? imageUrlsOf(cssText, base, origin) : [];
}

function eachStyle(sheet: CSSStyleSheet, visit: (style: CSSStyleDeclaration, base: string) => void): void {
  const base = sheet.href ?? document.baseURI;
  const visitRules = (rules: CSSRuleList | null): void => {
    for (const rule of rules ?? []) {
      if (rule instanceof CSSImportRule && rule.styleSheet !== null) eachStyle(rule.styleSheet, visit);
      if (rule instanceof CSSStyleRule || rule instanceof CSSKeyframeRule) visit(rule.style, base);
      if (rule instanceof CSSGroupingRule || rule instanceof CSSKeyframesRule || rule instanceof CSSStyleRule) visitRules(rule.cssRules);
    }
  };
  visitRules(readableRules(sheet));
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

function hasUnread(sheet: CSSStyleSheet): boolean {
  const rules = readableRules(sheet);
  return rules === null || [...rules].some((rule) => rule instanceof CSSImportRule && rule.styleSheet !== null && hasUnread(rule.styleSheet));
}
