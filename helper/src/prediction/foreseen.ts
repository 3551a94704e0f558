import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { valueOf, type RawHeaders } from '../http/rawHeaders.ts';
import type { SheetScan } from '../reading/cssScanner.ts';
import type { ContentPolicies } from '../reading/contentPolicy.ts';
import { NO_CORS, type FetchKind, type FetchMode } from '../reading/elementFetches.ts';
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
  readonly policies: ContentPolicies;
  readonly styles: StyleImages;
  /** Among the loads of documents since this helper was started. */
  readonly load: number;
  /** When it was asked for, in milliseconds of a monotonic clock. */
  readonly startMs: number;
}

/**
 * What styles name is corners, lines and icons: three of four in the first screens of the recorded pages are smaller,
 * also of formats whose photographs weigh tens of kilobytes.
 */
const STYLE_IMAGE_BYTES = 2_000;

/** @param policy the document's referrer policy; null for the default */
export function namedBy({ navigation }: Page, found: Discovered, policy: string | null): Foreseen {
  // a browser too asks for scripts that nothing waits for after what the layout needs
  const fetchClass = found.kind === 'image' || found.isDeferred ? FetchClass.unplaced : FetchClass.layout;
  return { ...found, referrer: navigation.url, referrerPolicy: found.referrerPolicy ?? policy, index: null, fetchClass, mostBytes: Infinity };
}

/** The memory keeps only what is asked for without CORS, and modules by the kind of script. */
export function expectedFrom({ navigation, policies }: Page, { url: remembered, kind }: NeededObject): Foreseen[] {
  const url = policies.upgraded(remembered, kind);
  if (url === null) return [];
  const mode: FetchMode = kind === 'font' ? { credentials: 'same-origin', cors: true } : NO_CORS;
  return [{ url, kind, mode, referrer: navigation.url, referrerPolicy: null, index: null, fetchClass: kind === 'image' ? FetchClass.inView : FetchClass.layout, mostBytes: Infinity }];
}

/** What the page's styles name by now, each as its sheet stands in the document, before what stands below. */
export function imagesOfStyles(page: Page): Foreseen[] {
  return page.styles.take().flatMap(({ url, sheet }) => namedBySheet(page, sheet, url, 'image', FetchClass.unplaced, STYLE_IMAGE_BYTES));
}

/** Sheets that a sheet imports whatever the window. */
export function importsOf(page: Page, { imports }: SheetScan, sheet: SheetSource): Foreseen[] {
  return imports.flatMap((url) => namedBySheet(page, sheet, url, 'style', FetchClass.layout, Infinity));
}

/** The last one that a list has (Referrer Policy, section 4.1); null for none. */
export function referrerPolicyOf(response: RawHeaders): string | null {
  return valueOf(response, 'referrer-policy')?.split(',').at(-1)?.trim().toLowerCase() ?? null;
}

/** @returns nothing for what the page's policies do not clearly allow */
function namedBySheet({ policies }: Page, sheet: SheetSource, named: string, kind: FetchKind, fetchClass: FetchClass, mostBytes: number): Foreseen[] {
  const url = policies.upgraded(named, kind);
  if (url === null || !policies.allows({ url, kind, nonce: '' })) return [];
  return [{ url, kind, mode: NO_CORS, referrer: sheet.url, referrerPolicy: sheet.referrerPolicy, index: sheet.index, fetchClass, mostBytes }];
}
