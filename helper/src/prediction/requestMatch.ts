import { valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { freshForMs } from './freshness.ts';
import type { FetchMode } from '../reading/elementFetches.ts';

/**
 * Fields that may differ between a predicted request and the browser's: they say how soon an answer is wanted, or repeat what else is compared. Where the answer's Vary names one,
 * it may not differ either.
 */
const FREE_FIELDS: ReadonlySet<string> = new Set(['priority', 'sec-fetch-storage-access', 'sec-purpose', 'purpose', 'connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te']);
const COOKIE = 'cookie';
const REFERER = 'referer';
const OK = 200;
/** A browser that sends one of these wants a part, or has a copy already and may be told that it is good (RFC 9110, sections 13.1 and 14.2). */
const CONDITIONAL_FIELDS: readonly string[] = ['range', 'if-range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'];

export interface PredictedFetch {
  /** As it was sent, end to end. */
  readonly headers: RawHeaders;
  readonly mode: FetchMode;
  /** Sec-Fetch-Dest. */
  readonly destination: string;
}

/**
 * Whether the answer to the predicted request is an answer to this one. Vary alone would not do: servers send different answers by Referer, Accept or User-Agent without a word,
 * so whatever a request says must have been said in the other, in any order. What several style sheets name is asked for with the address of one of them, and which one only the browser knows.
 */
export function isSameRequest(request: RawHeaders, predicted: PredictedFetch): boolean {
  if (CONDITIONAL_FIELDS.some((name) => valuesOf(request, name).length > 0)) return false;
  const names = new Set([...namesOf(request), ...namesOf(predicted.headers)]);
  return [...names].every((name) => FREE_FIELDS.has(name) || name === COOKIE || hasSameValues(request, predicted.headers, name) || (name === REFERER && hasSameReferrerOrigin(request, predicted.headers))) && suitsMode(request, predicted);
}

/**
 * Whether an answer that has these fields is one for both requests: Vary (RFC 9110, section 12.5.5) names nothing in which they differ, and where their cookies differ, as scripts set some while a
 * page loads, or their referrers, the answer is one that a browser's own cache would give whatever these are (RFC 9111, section 4).
 *
 * @param wallMs wall clock
 */
export function suitsBoth(response: RawHeaders, a: RawHeaders, b: RawHeaders, wallMs: number): boolean {
  return suitsVary(response, a, b) && ((hasSameValues(a, b, COOKIE) && hasSameValues(a, b, REFERER)) || (freshForMs(OK, response, wallMs) ?? 0) > 0);
}

/** Whether an answer that has these fields is one for both requests (RFC 9110, section 12.5.5). */
export function suitsVary(response: RawHeaders, a: RawHeaders, b: RawHeaders): boolean {
  const names = valuesOf(response, 'vary').flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase()));
  return names.every((name) => name !== '*' && hasSameValues(a, b, name));
}

function hasSameValues(a: RawHeaders, b: RawHeaders, name: string): boolean {
  return valuesOf(a, name).join(', ') === valuesOf(b, name).join(', ');
}

function hasSameReferrerOrigin(a: RawHeaders, b: RawHeaders): boolean {
  const origin = (headers: RawHeaders): string => originOf(valuesOf(headers, REFERER).join(', '));
  return origin(a) === origin(b);
}

/** Browsers say so to potentially trustworthy URLs only (Fetch Metadata, section 2). */
function suitsMode(request: RawHeaders, { mode, destination }: PredictedFetch): boolean {
  const says = (name: string, expected: string): boolean => valuesOf(request, name).every((value) => value === expected);
  return says('sec-fetch-mode', mode.cors ? 'cors' : 'no-cors') && says('sec-fetch-dest', destination);
}

function namesOf(headers: RawHeaders): string[] {
  return headers.filter((_, place) => place % 2 === 0).map((name) => name.toLowerCase());
}
