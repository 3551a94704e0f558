import { LRUCache } from 'lru-cache';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { referrerPolicyOf, type Foreseen, type Page } from '../../../shared/src/node/foresight/foreseen.ts';
import { NO_CORS } from '../../../shared/src/node/reading/elementFetches.ts';
import type { SheetUrl } from '../../../shared/src/node/reading/sheetUrls.ts';
import { originOf } from '../../../shared/src/page/origin.ts';

const MAX_PAGES = 100;
/** Of all pages lately; a large sheet names some hundreds. */
const MAX_IMAGES = 5_000;
/** Images of these are asked for as CORS requests, or as documents (CSS Masking 1, section 6.3; CSS Shapes 1, section 4). */
const OF_OTHER_MODES = /mask|shape-outside|clip-path|filter/;

/** A style sheet of a page. */
interface PageSheet extends Pick<Foreseen, 'referrerPolicy'> {
  readonly page: Page;
  readonly url: string;
}

/**
 * What browsers say to be about to ask for (`asking`). They ask for few at a time, those of a style or a script among them
 * that no document names; in which words they will ask follows from who is the referrer: the style sheet that draws with an image
 * (CSS Values 4, section 4.5.4), else the document.
 */
export class AskedImages {
  /** The latest of each origin. */
  private readonly pages = new LRUCache<string, Page>({ max: MAX_PAGES });
  /** By the URL of an image; null for one that is asked for otherwise than as an image of a style. */
  private readonly sheets = new LRUCache<string, PageSheet | { readonly page: null }>({ max: MAX_IMAGES });
  /** Of these the browser has asked for a style sheet: it does not have all that they need. */
  private readonly cold = new WeakSet<Page>();

  /** A document has begun to come. */
  navigated(page: Page): void {
    this.pages.set(originOf(page.navigation.url), page);
  }

  /** Of this origin. */
  latest(origin: string): Page | undefined {
    return this.pages.get(origin);
  }

  /** The browser has asked for a style sheet, which names this. */
  read(sheet: PageSheet, named: readonly SheetUrl[]): void {
    this.cold.add(sheet.page);
    for (const { url, property } of named) this.sheets.set(url, OF_OTHER_MODES.test(property) ? { page: null } : sheet);
  }

  /** @param pageUrl of the page that shows it @returns null where nobody can tell how it will be asked for, or whether the browser has it */
  foreseen(pageUrl: string, url: string): { readonly page: Page; readonly object: Foreseen } | null {
    const known = this.sheets.get(url);
    // what an earlier page has read the browser may have by now
    const sheet = known === undefined || (known.page !== null && known.page !== this.pages.get(originOf(known.page.navigation.url))) ? this.asSheet(pageUrl) : known;
    if (sheet === null || sheet.page === null || !this.cold.has(sheet.page)) return null;
    const { page, url: referrer, referrerPolicy } = sheet;
    return { page, object: { url, kind: 'image', mode: NO_CORS, referrer, referrerPolicy, index: null, fetchClass: FetchClass.unplaced, bytes: null, expectedPriority: null, before: null, namedBy: 'browser' } };
  }

  /** The document that has this address still, where none of its elements has another policy. */
  private asSheet(url: string): PageSheet | null {
    const page = this.pages.get(originOf(url));
    if (page === undefined || page.navigation.url !== url || page.hasOtherPolicies === true) return null;
    return { page, url, referrerPolicy: referrerPolicyOf(page.navigation.answer) };
  }
}
