import { pairsOf, valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import type { FetchKind, FetchMode } from '../reading/elementFetches.ts';
import { asksForHints, delegatesHints, isHint, ownHints } from './clientHints.ts';
import { cookieAfter } from './predictedCookies.ts';
import { refererFor } from './referrer.ts';
import { cookieOf, OWN_FIELDS } from '../http/requestFields.ts';

/** A page's own request and answer, from which those of its objects follow. */
export interface Navigation {
  /** Of the answer: after redirects. */
  readonly url: string;
  /** Of the request, end to end. */
  readonly request: RawHeaders;
  /** Fields of the answer; none while it has not come. */
  readonly answer: RawHeaders;
}

export interface PredictedTarget {
  readonly url: string;
  readonly kind: FetchKind;
  readonly mode: FetchMode;
  /** URL of what names it: the document, or the style sheet. */
  readonly referrer: string;
  /** In lower case; null for the default. */
  readonly referrerPolicy: string | null;
}

/** Which of its experiments the browser takes part in: Google's Chrome says so to Google's servers. */
export const X_CLIENT_DATA = 'x-client-data';

/**
 * Fields of a request for a page by Chromium and Firefox, beside client hints. Another one is of the user's own: an
 * extension or a program has put it there, and may do so with the page's objects, or not.
 */
const OF_BROWSERS: ReadonlySet<string> = new Set([
  'host', 'pragma', 'cache-control', 'user-agent', 'accept', 'accept-encoding', 'accept-language', 'cookie', 'referer', 'origin', 'upgrade-insecure-requests', 'priority', 'dnt', 'sec-gpc', 'save-data',
  'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-fetch-user', 'sec-fetch-storage-access', 'sec-purpose', 'purpose', 'x-moz', 'sec-speculation-tags', 'service-worker-navigation-preload', 'attribution-reporting-eligible', 'attribution-reporting-support', 'alt-used', 'te', 'connection',
  X_CLIENT_DATA,
]);

/** Sec-Fetch-Dest of what is fetched (Fetch, "destination"). */
export function destinationOf(kind: FetchKind): string {
  return kind === 'module' ? 'script' : kind;
}

/**
 * The request fields, end to end and in a browser's order, that Chromium 156 and Firefox 153 send for an object of a
 * page; recorded from both over loopback (to a name that is not potentially trustworthy, and to 127.0.0.1, which is),
 * and repeated in the tests. What the browser's settings decide is taken from the page's own request.
 *
 * - Chromium sends Origin with every CORS request, Firefox only to another origin; it stands beside User-Agent, or beside Referer.
 * - Chromium's Accept for images is the image types that it names in the page's Accept, and four more.
 * - Sec-Fetch-*, Sec-CH-UA* and the codings br and zstd go to potentially trustworthy URLs only.
 * - Only Firefox sends Priority over HTTP/1.1; it changes with where the element stands, so it is a guess.
 *
 * @param nowMs wall clock
 * @param seenCookie what the browser has last sent to this origin for this page, at another origin for any page of this
 * one; null for no cookies, undefined when that is not known
 * @param seenSite how the browser has called the relation of the page and that origin; null when that is not known
 * @returns null when it can not be told what the browser will send: another browser, a reload that validates what is
 * cached, fields of nobody knows whom, cookies, hints or sites that are not clear
 */
export function predictedHeaders(navigation: Navigation, target: PredictedTarget, nowMs: number, seenCookie?: string | null, seenSite: string | null = null): string[] | null {
  const { request } = navigation;
  const userAgent = valueOf(request, 'user-agent') ?? '';
  const cacheControl = valueOf(request, 'cache-control');
  // a plain reload, or a page that is in the browser's cache: its objects are there too, and asked for, if at all, with
  // their validators
  if ((cacheControl !== null && cacheControl !== 'no-cache') || OWN_FIELDS.some((name) => valueOf(request, name) !== null)) return null;
  if (pairsOf(request).some(([name]) => !OF_BROWSERS.has(name.toLowerCase()) && !isHint(name.toLowerCase()))) return null;
  const [page, to] = [new URL(navigation.url), new URL(target.url)];
  // a browser may have been told to trust the page's own origin: it says so by what it sends
  const isPageTrusted = valueOf(request, 'sec-fetch-mode') !== null;
  const isTrustworthy = page.origin === to.origin ? isPageTrusted : isPotentiallyTrustworthy(to);
  // what goes to the other sort of URL is not seen in the page's own request
  if (isTrustworthy !== isPageTrusted) return null;
  const site = siteOf(page, to) ?? seenSite;
  const cookie = site === 'same-origin' ? ownCookie(navigation, target, nowMs, seenCookie) : otherCookie(target, site, seenCookie);
  if (cookie === undefined || (isTrustworthy && site === null)) return null;
  const fields: Fields = {
    request,
    host: to.host,
    kind: target.kind,
    cookie,
    referer: refererFor(target.referrer, target.url, target.referrerPolicy),
    origin: target.mode.cors ? page.origin : null,
    isCrossOrigin: page.origin !== to.origin,
    fetchMetadata: isTrustworthy ? { site: site ?? '', mode: target.mode.cors ? 'cors' : 'no-cors', dest: destinationOf(target.kind) } : null,
  };
  if (isFirefox(request)) return firefoxHeaders(fields);
  if (isTrustworthy && delegatesHints(navigation.answer, fields.isCrossOrigin)) return null;
  if (isTrustworthy && !fields.isCrossOrigin && asksForHints(request, navigation.answer, target.kind === 'image')) return null;
  return /\bChrome\//.test(userAgent.replace('HeadlessChrome', 'Chrome')) ? chromiumHeaders(fields) : null;
}

export function isFirefox(request: RawHeaders): boolean {
  return /\bFirefox\//.test(valueOf(request, 'user-agent') ?? '');
}

interface Fields {
  readonly request: RawHeaders;
  readonly host: string;
  readonly kind: FetchKind;
  readonly cookie: string | null;
  readonly referer: string | null;
  readonly origin: string | null;
  readonly isCrossOrigin: boolean;
  readonly fetchMetadata: { readonly site: string; readonly mode: string; readonly dest: string } | null;
}

/** A field with its value; none when there is no value. */
function field(name: string, value: string | null): string[] {
  return value === null ? [] : [name, value];
}

/** Fields of the page's own request, as they stand there, in the order of these names. */
function copied(request: RawHeaders, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const place = request.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name);
    return place < 0 ? [] : request.slice(place, place + 2);
  });
}

function chromiumHeaders({ request, host, kind, cookie, referer, origin, isCrossOrigin, fetchMetadata }: Fields): string[] | null {
  // Chromium 156 gives no hints to the request of a frame of https: in a page of http:, but to those of its objects
  if (fetchMetadata !== null && valueOf(request, 'sec-ch-ua') === null) return null;
  return [
    ...field('Host', host),
    ...copied(request, 'pragma', 'cache-control'),
    ...(fetchMetadata === null ? copied(request, 'user-agent') : []),
    ...field('Origin', origin),
    ...(fetchMetadata === null ? [] : copied(request, 'sec-ch-ua-platform', 'user-agent', 'sec-ch-ua', 'sec-ch-ua-mobile', ...(isCrossOrigin ? [] : ownHints(request)))),
    ...(isCrossOrigin ? [] : copied(request, X_CLIENT_DATA)),
    ...copied(request, 'save-data', 'dnt', 'sec-gpc'),
    ...field('Accept', chromiumAccept(kind, valueOf(request, 'accept') ?? '')),
    ...(fetchMetadata === null ? [] : ['Sec-Fetch-Site', fetchMetadata.site, 'Sec-Fetch-Mode', fetchMetadata.mode, 'Sec-Fetch-Dest', fetchMetadata.dest]),
    ...field('Sec-Fetch-Storage-Access', storageAccess(fetchMetadata)),
    ...field('Referer', referer),
    ...copied(request, 'accept-encoding', 'accept-language'),
    ...field('Cookie', cookie),
  ];
}

function firefoxHeaders({ request, host, kind, cookie, referer, origin, isCrossOrigin, fetchMetadata }: Fields): string[] {
  const originField = field('Origin', isCrossOrigin ? origin : null);
  const refererField = field('Referer', referer);
  return [
    ...field('Host', host),
    ...copied(request, 'user-agent'),
    ...field('Accept', FIREFOX_ACCEPT[kind]),
    ...copied(request, 'accept-language', 'accept-encoding', 'dnt', 'sec-gpc'),
    ...field('Sec-Fetch-Storage-Access', storageAccess(fetchMetadata)),
    ...(kind === 'font' ? [...refererField, ...originField] : [...originField, ...refererField]),
    ...field('Cookie', cookie),
    ...(fetchMetadata === null ? [] : ['Sec-Fetch-Dest', fetchMetadata.dest, 'Sec-Fetch-Mode', fetchMetadata.mode, 'Sec-Fetch-Site', fetchMetadata.site]),
    ...field('Priority', valueOf(request, 'priority') === null ? null : FIREFOX_PRIORITY[kind]),
    ...copied(request, 'pragma', 'cache-control'),
  ];
}

const FIREFOX_ACCEPT: Readonly<Record<FetchKind, string>> = {
  style: 'text/css,*/*;q=0.1',
  script: '*/*',
  module: '*/*',
  image: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
  font: 'application/font-woff2;q=1.0,application/font-woff;q=0.9,*/*;q=0.8',
};
const FIREFOX_PRIORITY: Readonly<Record<FetchKind, string | null>> = { style: 'u=2', script: 'u=2', module: null, image: 'u=5, i', font: 'u=2' };

function chromiumAccept(kind: FetchKind, pageAccept: string): string {
  if (kind === 'style') return 'text/css,*/*;q=0.1';
  if (kind !== 'image') return '*/*';
  const types = pageAccept.split(',').filter((type) => type.startsWith('image/'));
  return [...types, 'image/svg+xml', 'image/*', '*/*;q=0.8'].join(',');
}

/** Storage Access Headers: with requests that would carry cookies to another site, but have none. */
function storageAccess(fetchMetadata: Fields['fetchMetadata']): string | null {
  return fetchMetadata?.site === 'cross-site' && fetchMetadata.mode === 'no-cors' ? 'none' : null;
}

/** Secure Contexts, section 3.1: https:, and this machine. */
function isPotentiallyTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Sec-Fetch-Site. @returns null where only a list of public suffixes could tell */
function siteOf(page: URL, to: URL): 'same-origin' | 'same-site' | 'cross-site' | null {
  if (page.origin === to.origin) return 'same-origin';
  if (page.protocol !== to.protocol) return 'cross-site';
  if (page.hostname === to.hostname) return 'same-site';
  return mayShareCookies(page.hostname, to.hostname) ? null : 'cross-site';
}

/**
 * Hosts whose last two labels are the same may be of one site, or customers of one provider; an address is its own
 * site.
 */
function mayShareCookies(a: string, b: string): boolean {
  const isAddress = (host: string): boolean => /^\[|\.\d+$/.test(host);
  const end = (host: string): string => host.split('.').slice(-2).join('.');
  return !isAddress(a) && !isAddress(b) && end(a) === end(b);
}

/** Cookies after a page's own answer: read once for all of its objects, as there may be a thousand of these, and of the other as much as fits into a head. */
const AFTER_ANSWER = new WeakMap<Navigation, string | null | undefined>();

/** Cookies for the page's own origin. @returns undefined when it can not be told which ones the browser will send */
export function ownCookie(navigation: Navigation, { mode }: Pick<PredictedTarget, 'mode'>, nowMs: number, seenCookie: string | null | undefined): string | null | undefined {
  if (mode.credentials === 'omit') return null;
  if (seenCookie !== undefined) return seenCookie;
  if (!AFTER_ANSWER.has(navigation)) AFTER_ANSWER.set(navigation, cookieAfterAnswer(navigation, nowMs));
  return AFTER_ANSWER.get(navigation);
}

function cookieAfterAnswer({ url, request, answer }: Navigation, nowMs: number): string | null | undefined {
  const cookie = cookieOf(request);
  // whether cookies are cleared the browser decides, and when it has (Clear Site Data, section 3.1)
  if (cookie !== null && valuesOf(answer, 'clear-site-data').length > 0) return undefined;
  // who comes from elsewhere brings no strict cookies along, and the page's objects do (RFC 6265bis, section 5.2)
  if (cookie !== null && isFromElsewhere(request)) return undefined;
  return cookieAfter(cookie, valuesOf(answer, 'set-cookie'), new URL(url), isFirefox(request), nowMs);
}

/**
 * Cookies for another origin. Those of another site are kept back, or partitioned, by rules of the browser's own, so only
 * where it has been seen to have none is it certain what it will send.
 */
function otherCookie({ mode }: PredictedTarget, site: string | null, seenCookie: string | null | undefined): string | null | undefined {
  if (mode.credentials !== 'include' || seenCookie === null) return null;
  return site === 'same-site' ? seenCookie : undefined;
}

function isFromElsewhere(request: RawHeaders): boolean {
  const site = valueOf(request, 'sec-fetch-site');
  if (site !== null) return site !== 'none' && site !== 'same-origin';
  const [referer, host] = [valueOf(request, 'referer'), valueOf(request, 'host')];
  // in clear nothing else tells, and a page of https: sends no Referer along
  return referer === null || URL.parse(referer)?.host !== host;
}
