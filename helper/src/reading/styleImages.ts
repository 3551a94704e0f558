import type { SheetScan } from './cssScanner.ts';
import { ElementNames } from './elementNames.ts';
import type { StartTag } from './htmlTags.ts';
import { selectorParts, type Compound } from './selectorParts.ts';

/** Where a style sheet comes from. */
export interface SheetSource {
  /** Of the sheet; of the document, for one that stands in it. It is the referrer of what the sheet names (CSS Values 4, section 4.5.4). */
  readonly url: string;
  /** In lower case; null for the default. */
  readonly referrerPolicy: string | null;
  /** Where the sheet stands in the order of what is fetched; null for one that stands in the document. */
  readonly index: number | null;
}

/** An image that a style names. */
export interface StyleImage {
  readonly url: string;
  readonly sheet: SheetSource;
}

interface Candidate extends StyleImage {
  /** Of each complex selector of the rule. */
  readonly selectors: readonly (readonly Compound[])[];
}

const MAX_CANDIDATES = 3_000;
/** Of one document: sites whose sheets name hundreds show a part of them. */
const MAX_IMAGES = 60;

/**
 * Which images the styles of a document make the browser fetch, as far as names tell: those of rules without a condition, for which there is an element. Browsers fetch them at the first layout, for every element that
 * is displayed, in view or not (CSS Backgrounds 3, section 2.3); another rule may win, so some are named in vain.
 */
export class StyleImages {
  private readonly elements = new ElementNames();
  private candidates: Candidate[] = [];
  private readonly named = new Set<string>();

  element(tag: Pick<StartTag, 'name' | 'attributes'>): void {
    this.elements.add(tag);
  }

  sheet(scan: Pick<SheetScan, 'backgrounds'>, sheet: SheetSource): void {
    for (const { url, selector, conditions } of scan.backgrounds) {
      if (conditions.length > 0 || this.candidates.length >= MAX_CANDIDATES) continue;
      const selectors = selectorParts(selector);
      if (selectors.length > 0) this.candidates.push({ url, sheet, selectors });
    }
  }

  /** Those for which there is an element by now; each URL once. */
  take(): StyleImage[] {
    const found: StyleImage[] = [];
    this.candidates = this.candidates.filter(({ url, sheet, selectors }) => {
      if (this.named.has(url)) return false;
      if (!selectors.some((compounds) => this.elements.haveAll(compounds))) return true;
      if (this.named.size < MAX_IMAGES) found.push({ url, sheet });
      this.named.add(url);
      return false;
    });
    return found;
  }
}
