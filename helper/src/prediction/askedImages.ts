import { LRUCache } from 'lru-cache';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { Foreseen, Page } from '../../../shared/src/node/foresight/foreseen.ts';
import { NO_CORS } from '../../../shared/src/node/reading/elementFetches.ts';
import type { StyleUrl } from '../../../shared/src/node/reading/styleUrls.ts';
import { originOf } from '../../../shared/src/page/origin.ts';

const MAX_ORIGINS = 200;
/** Of all pages lately; a large sheet names some hundreds. */
const MAX_IMAGES = 5_000;
/** Images of these are asked for as CORS requests, or as documents (CSS Masking 1, section 6.3; CSS Shapes 1, section 4). */
const OF_OTHER_MODES = /mask|shape-outside|clip-path|filter/;

/** A style sheet of a page, or its document. */
interface StyleSource extends Pick<Foreseen, 'referrerPolicy'> {
  readonly page: Page;
  readonly url: string;
}

/**
 * What styles draw with, which no element names, and which of it a browser is about to ask for: the browser says so
 * (`asking`), as it asks for few at a time. In which words it will ask follows from who is the referrer: the style sheet, or
 * the document with its own styles (CSS Values 4, section 4.5.4). What scripts ask for is left to them: much of that counts
 * visits, with cookies that they have just set.
 */
export class AskedImages {
  /** The latest by the origin of its document, and by those of its style sheets. */
  private readonly pages = new LRUCache<string, Page>({ max: MAX_ORIGINS });
  /** By the URL of an image; null where it is asked for otherwise. */
  private readonly sources = new LRUCache<string, StyleSource | { readonly page: null }>({ max: MAX_IMAGES });
  /** Of these the browser has asked for a style sheet: it does not have all that they need. */
  private readonly cold = new WeakSet<Page>();
  /** An element of these has a referrer policy of its own, or the document one that its header does not say. */
  private readonly unclear = new WeakSet<Page>();

  /** A document has begun to come. */
  navigated(page: Page): void {
    this.pages.set(originOf(page.navigation.url), page);
  }

  /** Whose style sheet is asked for with a referrer of this origin: the page's, or that of a sheet which imports it. */
  askedSheet(referrer: string, url: string): Page | null {
    const page = this.pages.get(referrer) ?? null;
    if (page === null) return null;
    this.cold.add(page);
    if (!this.pages.has(originOf(url))) this.pages.set(originOf(url), page);
    return page;
  }

  hasOtherPolicies(page: Page): void {
    this.unclear.add(page);
  }

  read(source: StyleSource, named: readonly StyleUrl[]): void {
    for (const { url, property } of named) this.sources.set(url, OF_OTHER_MODES.test(property) ? { page: null } : source);
  }

  /** @returns null where nobody can tell how it will be asked for, or whether the browser has it */
  foreseen(url: string): { readonly page: Page; readonly object: Foreseen } | null {
    const source = this.sources.get(url);
    if (source === undefined || source.page === null) return null;
    const { page, url: referrer, referrerPolicy } = source;
    const isLatest = this.pages.get(originOf(page.navigation.url)) === page;
    if (!isLatest || !this.cold.has(page) || (referrer === page.navigation.url && this.unclear.has(page))) return null;
    return { page, object: { url, kind: 'image', mode: NO_CORS, referrer, referrerPolicy, index: null, fetchClass: FetchClass.unplaced, bytes: null, expectedPriority: null, before: null, namedBy: 'browser' } };
  }
}
