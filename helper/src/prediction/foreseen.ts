import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { valueOf, type RawHeaders } from '../http/rawHeaders.ts';
import type { SheetScan } from '../reading/cssScanner.ts';
import { NO_CORS, type FetchMode } from '../reading/elementFetches.ts';
import type { Discovered } from '../reading/htmlScanner.ts';
import type { Navigation, PredictedTarget } from './predictedHeaders.ts';
import type { SheetSource, StyleImages } from '../reading/styleImages.ts';

/** An object that a page is going to ask for. */
export interface Foreseen extends PredictedTarget {
  /** In the order of fetching; null for behind all that was foreseen before. */
  readonly index: number | null;
  readonly fetchClass: FetchClass;
  /** More is not expected of it, whatever its format. */
  readonly mostBytes: number;
}

/** A document that was asked for, and what is known of its styles. */
export interface Page {
  readonly navigation: Navigation;
  readonly styles: StyleImages;
}

/** What styles name is corners, lines and icons: three of four in the first screens of the recorded pages are smaller, also of formats whose photographs weigh tens of kilobytes. */
const STYLE_IMAGE_BYTES = 2_000;

/** @param policy the document's referrer policy; null for the default */
export function namedBy({ navigation }: Page, found: Discovered, policy: string | null): Foreseen {
  // a browser too asks for scripts that nothing waits for after what the layout needs
  const fetchClass = found.kind === 'image' || found.isDeferred ? FetchClass.unplaced : FetchClass.layout;
  return { ...found, referrer: navigation.url, referrerPolicy: found.referrerPolicy ?? policy, index: null, fetchClass, mostBytes: Infinity };
}

/** The memory keeps only what is asked for without CORS, and modules by the kind of script. */
export function expectedFrom(documentUrl: string, { url, kind }: NeededObject): Foreseen {
  const mode: FetchMode = kind === 'font' ? { credentials: 'same-origin', cors: true } : NO_CORS;
  return { url, kind, mode, referrer: documentUrl, referrerPolicy: null, index: null, fetchClass: kind === 'image' ? FetchClass.inView : FetchClass.layout, mostBytes: Infinity };
}

/** What the page's styles name by now, each as its sheet stands in the document, before what stands below. */
export function imagesOfStyles(page: Page): Foreseen[] {
  const images = page.styles.take().filter(({ url }) => isFetchedBy(page, url));
  return images.map(({ url, sheet }) => ({ ...namedBySheet(sheet), url, kind: 'image', fetchClass: FetchClass.unplaced, mostBytes: STYLE_IMAGE_BYTES }));
}

/** Sheets that a sheet imports whatever the window. */
export function importsOf(page: Page, { imports }: SheetScan, sheet: SheetSource): Foreseen[] {
  const certain = imports.filter(({ url, isCertain }) => isCertain && isFetchedBy(page, url));
  return certain.map(({ url }) => ({ ...namedBySheet(sheet), url, kind: 'style', fetchClass: FetchClass.layout, mostBytes: Infinity }));
}

/** The last one that a list has (Referrer Policy, section 4.1); null for none. */
export function referrerPolicyOf(response: RawHeaders): string | null {
  return valueOf(response, 'referrer-policy')?.split(',').at(-1)?.trim().toLowerCase() ?? null;
}

function namedBySheet({ url, referrerPolicy, index }: SheetSource): Pick<Foreseen, 'mode' | 'referrer' | 'referrerPolicy' | 'index'> {
  return { mode: NO_CORS, referrer: url, referrerPolicy, index };
}

/** From a secure page browsers ask for nothing in clear, or for something else in place of it (Mixed Content, section 4). */
function isFetchedBy({ navigation }: Page, url: string): boolean {
  return !navigation.url.startsWith('https:') || url.startsWith('https:');
}
