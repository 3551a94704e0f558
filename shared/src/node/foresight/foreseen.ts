import { FetchClass } from '../../fetching/fetchObject.ts';
import type { ExpectedObject, SeenRequest } from '../../memory/neededObject.ts';
import type { NamedBy } from '../../requests/requestEvent.ts';
import { valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { referrerPolicyOfList, type ReferrerPolicy } from '../../page/referrerPolicy.ts';
import type { ContentPolicies } from '../reading/contentPolicy.ts';
import { NO_CORS, type FetchMode } from '../reading/elementFetches.ts';
import type { Discovered } from '../reading/htmlScanner.ts';
import type { Navigation, PredictedTarget } from './predictedHeaders.ts';

/** An object that a page is going to ask for. */
export interface Foreseen extends PredictedTarget {
  /** In the order of fetching; null for behind all that was foreseen before. */
  readonly index: number | null;
  readonly fetchClass: FetchClass;
  /** Of the body as it was sent before; null where that is not known. */
  readonly bytes: number | null;
  /** Its Priority field (RFC 9218), as Chromium 156 asks; null where that is by its place. */
  readonly expectedPriority: string | null;
  /** How a browser has asked for it without cookies when every earlier visit needed it; null where it has not. */
  readonly before: Pick<SeenRequest, 'site'> | null;
  readonly namedBy: NamedBy;
}

/** A document that was asked for, and what is known of its styles. */
export interface Page {
  readonly navigation: Navigation;
  readonly policies: ContentPolicies;
  /** Among the loads of documents since this helper was started. */
  readonly load: number;
  /** When it was asked for, in milliseconds of a monotonic clock. */
  readonly startMs: number;
  /** Whether its user wants all of it anew, whatever the browser has. */
  readonly bypassesCache: boolean;
  /** What is remembered and no part of it any more (`DocumentNames`). */
  readonly unnamed: ReadonlySet<string>;
  /** Whether the document, or an element of it, has said another referrer policy than its header. */
  hasOtherPolicies?: boolean;
}

/** @param policy the document's referrer policy; null for the default */
export function namedBy({ navigation }: Page, found: Discovered, policy: string | null): Foreseen {
  // a browser too asks for scripts that nothing waits for after what the layout needs
  const fetchClass = found.kind === 'image' || found.isDeferred ? FetchClass.unplaced : FetchClass.layout;
  return { ...found, referrer: navigation.url, referrerPolicy: found.referrerPolicy ?? policy, index: null, fetchClass, bytes: null, expectedPriority: expectedPriority(found), before: null, namedBy: 'document' };
}

/** @param policy the document's referrer policy, before it has come that of the last time; null for the default */
export function expectedFrom({ navigation, policies }: Page, { url: remembered, kind, bytes, request, isCertain }: ExpectedObject, policy: ReferrerPolicy | null): Foreseen[] {
  const url = policies.upgraded(remembered, kind);
  if (url === null) return [];
  const mode: FetchMode = request.isCors ? { credentials: 'same-origin', cors: true } : NO_CORS;
  const before = isCertain && !request.hasCookies ? request : null;
  const fetchClass = kind === 'image' ? FetchClass.inView : FetchClass.layout;
  const referrerPolicy = request.referrer === '' ? 'no-referrer' : request.referrer === null ? policy : null;
  return [{ url, kind, mode, referrer: request.referrer || navigation.url, referrerPolicy, index: null, fetchClass, bytes, expectedPriority: expectedPriority({ kind }), before, namedBy: 'memory' }];
}

/**
 * Sheets that a sheet imports whatever the window, as far as the page's policies clearly allow them.
 *
 * @param sheet as it was fetched: the referrer of what it imports (CSS Values 4, section 4.5.4), the policy of its answer
 */
export function importedBy({ policies }: Page, { url: referrer, referrerPolicy, index }: Pick<Foreseen, 'url' | 'referrerPolicy' | 'index'>, imports: readonly string[]): Foreseen[] {
  return imports.flatMap((named) => {
    const url = policies.upgraded(named, 'style');
    if (url === null || !policies.allows({ url, kind: 'style', nonce: '' })) return [];
    return [{ url, kind: 'style', mode: NO_CORS, referrer, referrerPolicy, index, fetchClass: FetchClass.layout, bytes: null, expectedPriority: expectedPriority({ kind: 'style' }), before: null, namedBy: 'styleSheet' }];
  });
}

/** Nothing is painted before style sheets, nor text before its font; of scripts the parser waits for the first sooner. */
function expectedPriority({ kind, isDeferred = false, isBehindImages = false }: Pick<Discovered, 'kind'> & Partial<Discovered>): string | null {
  if (kind === 'image') return null;
  if (kind === 'style' || kind === 'font') return 'u=0';
  if (isDeferred) return 'u=4, i';
  return isBehindImages ? 'u=2' : 'u=1';
}

/** Of a document or a style sheet; null for none. */
export function referrerPolicyOf(response: RawHeaders): ReferrerPolicy | null {
  return referrerPolicyOfList(valuesOf(response, 'referrer-policy').join(','));
}
