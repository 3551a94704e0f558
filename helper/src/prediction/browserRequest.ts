import { valueOf, valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { originOf } from '../../../shared/src/page/origin.ts';

/**
 * Whose cache a request is for: a document its own, an object that of who asks, the document or the style sheet (a
 * browser does not say for which document).
 */
export function partitionOf(url: string, headers: RawHeaders): string {
  // without a referrer a CORS request still says for whom it is; what extensions write there may be no address at all
  const from = originOf(valueOf(headers, 'referer') ?? valueOf(headers, 'origin') ?? '');
  return isDocument(headers) || !URL.canParse(from) ? originOf(url) : from;
}

/** Browsers ask so for documents of windows and frames only (Upgrade Insecure Requests, section 3.2.1). */
export function isDocument(headers: RawHeaders): boolean {
  return valueOf(headers, 'upgrade-insecure-requests') === '1' && /^text\/html\b/.test(valueOf(headers, 'accept') ?? '');
}

/** Whether it goes past the browser's cache, as all requests of a page do that its user reloads so (Fetch, "reload" cache mode). */
export function bypassesCache(headers: RawHeaders): boolean {
  return valuesOf(headers, 'cache-control').some((value) => /\bno-cache\b/i.test(value));
}

const FRAMES: ReadonlySet<string> = new Set(['iframe', 'frame', 'fencedframe', 'embed', 'object']);

/** Whether a document is in a frame of another site, where browsers keep back cookies that they have (Storage Access). */
export function isThirdPartyFrame(headers: RawHeaders): boolean {
  return valueOf(headers, 'sec-fetch-site') === 'cross-site' && FRAMES.has(valueOf(headers, 'sec-fetch-dest') ?? '');
}

/** Whether it may be in one: in clear a frame looks like a link from elsewhere. */
export function mayBeThirdPartyFrame(url: string, headers: RawHeaders): boolean {
  const referer = valueOf(headers, 'referer');
  return referer !== null && URL.canParse(referer) && valueOf(headers, 'sec-fetch-site') === null && originOf(referer) !== originOf(url);
}

/** Whether it is for a page that nobody has asked for yet (Fetch, "Sec-Purpose"). Chromium says it in an older word, too, and alone to servers in clear. */
export function isPrefetch(headers: RawHeaders): boolean {
  return ['sec-purpose', 'purpose'].some((name) => valueOf(headers, name)?.startsWith('prefetch') === true);
}
