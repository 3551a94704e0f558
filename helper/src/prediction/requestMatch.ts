import { valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf, OWN_FIELDS } from '../../../shared/src/node/http/requestFields.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import type { FetchMode } from '../../../shared/src/node/reading/elementFetches.ts';
import { MEASURED_HINTS } from '../../../shared/src/node/foresight/clientHints.ts';
import { X_CLIENT_DATA } from '../../../shared/src/node/foresight/predictedHeaders.ts';
import { cookieName } from '../../../shared/src/node/foresight/predictedCookies.ts';
import { freshForMs, isFreshForAll } from './freshness.ts';

/**
 * Fields that may differ between a foreseen request and the browser's: they say how soon an answer is wanted or which
 * experiments the browser is in, or repeat what else is compared; so may what of the network was measured up to that moment. Where the answer's Vary names one, it may not differ either.
 */
const FREE_FIELDS: ReadonlySet<string> = new Set([X_CLIENT_DATA, 'priority', 'sec-fetch-storage-access', 'sec-purpose', 'purpose', 'connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te']);
const COOKIE = 'cookie';
const REFERER = 'referer';
const OK = 200;
/** An answer that says to come back another way, or later, is for whoever asked so much; the browser asks by itself. */
const UNSUITABLE_STATUS: ReadonlySet<number> = new Set([407, 408, 421, 425, 429, 502, 503, 504]);

export interface PredictedFetch {
  /** As it was sent, end to end. */
  readonly headers: RawHeaders;
  readonly mode: FetchMode;
  /** Sec-Fetch-Dest. */
  readonly destination: string;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: RawHeaders;
}

/**
 * Whether the answer to the foreseen request can be one to this request. Vary alone would not do: servers send
 * different answers by Accept or User-Agent without a word, so whatever a request says must have been said in the
 * other, in any order. Cookies, and which of two style sheets asks, are the answer's to judge (`suits`).
 */
export function isSameRequest(request: RawHeaders, predicted: PredictedFetch): boolean {
  return differingFields(request, predicted.headers).every((name) => name === COOKIE || (name === REFERER && hasSameReferrerOrigin(request, predicted.headers))) && suitsMode(request, predicted);
}

/** Whether what was foreseen says all that a request says, cookies and referrer too. */
export function isEqualRequest(request: RawHeaders, predicted: RawHeaders): boolean {
  return differingFields(request, predicted).length === 0;
}

/** Names of the fields in which a request is another one, those that only a browser itself sends among them. */
function differingFields(request: RawHeaders, predicted: RawHeaders): string[] {
  const names = new Set([...namesOf(request), ...namesOf(predicted)]);
  const isFree = (name: string): boolean => FREE_FIELDS.has(name) || (MEASURED_HINTS.has(name) && [request, predicted].every((headers) => valueOf(headers, name) !== null));
  return [...names].filter((name) => OWN_FIELDS.includes(name) || (!isFree(name) && !hasSameValues(request, predicted, name)));
}

/**
 * Whether an answer is one for both requests (docs/architecture.md, "When a foreseen answer is given"). To a request
 * that is the same it is what a browser's own preload would be (HTML, section 4.6.7.16), which needs no freshness.
 * Where cookies or referrers differ, it has to be what a browser's own cache would give (RFC 9111, section 4), which does
 * not look at cookies. It may not be private where any has come since (mostly those of a page's counters). Where one has
 * changed or gone, as another user's would be, the server has to say that it is for everybody; of cookies that scripts
 * alone have changed it is enough that caches which serve everybody may give it by the server's own word.
 *
 * @param isServers whether a server has set the cookie of this name, so that it may say who asks; by default all of them
 */
export function suits({ status, headers }: AnswerHead, request: RawHeaders, predicted: RawHeaders, isServers: (cookie: string) => boolean = () => true): boolean {
  if (UNSUITABLE_STATUS.has(status) || !suitsVary(headers, request, predicted)) return false;
  if (hasSameValues(request, predicted, COOKIE) && hasSameValues(request, predicted, REFERER)) return true;
  if (status !== OK || setsCookies(headers) || (freshForMs(status, headers) ?? 0) <= 0) return false;
  if (hasSameValues(request, predicted, COOKIE)) return true;
  const directives = directivesOf(headers);
  const lost = lostCookies(predicted, request);
  const isForEverybody = directives.includes('public') || directives.includes('immutable') || (isFreshForAll(status, headers) && !lost.some(isServers));
  return !directives.includes('private') && (isForEverybody || lost.length === 0);
}

export function setsCookies(response: RawHeaders): boolean {
  return valuesOf(response, 'set-cookie').length > 0;
}

/** Names of the cookies that the request has no more, or with another value. */
function lostCookies(predicted: RawHeaders, request: RawHeaders): string[] {
  const cookies = (headers: RawHeaders): string[] => (cookieOf(headers) ?? '').split(/; */).filter((pair) => pair !== '');
  const present = new Set(cookies(request));
  return cookies(predicted).filter((pair) => !present.has(pair)).map((pair) => cookieName(pair));
}

/** Vary (RFC 9110, section 12.5.5) names nothing in which the requests differ. */
function suitsVary(response: RawHeaders, a: RawHeaders, b: RawHeaders): boolean {
  const names = valuesOf(response, 'vary').flatMap((value) => value.split(',').map((name) => name.trim().toLowerCase()));
  return names.every((name) => name !== '*' && hasSameValues(a, b, name));
}

/** Names of the directives of Cache-Control (RFC 9111, section 5.2.2; RFC 8246). */
function directivesOf(response: RawHeaders): (string | undefined)[] {
  return valuesOf(response, 'cache-control').flatMap((value) => value.toLowerCase().split(',').map((directive) => directive.split('=', 1)[0]?.trim()));
}

function hasSameValues(a: RawHeaders, b: RawHeaders, name: string): boolean {
  return name === COOKIE ? cookieOf(a) === cookieOf(b) : valuesOf(a, name).join(', ') === valuesOf(b, name).join(', ');
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
