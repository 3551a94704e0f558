import { getDomain } from 'tldts';
import { trimmed } from '../http/rawHeaders.ts';

/** Of name and value; browsers refuse more (RFC 6265bis, section 5.7). */
const MAX_CHARS = 4_096;
/** Browsers keep no more of a site (Chromium: kDomainMaxCookies; Firefox: network.cookie.maxPerHost): which of more they let go only they know. */
const MAX_COOKIES = 180;

/**
 * The Cookie field of requests to the same origin that follow an answer with these Set-Cookie fields (RFC 6265,
 * sections 5.3 and 5.4): new ones are last; one that changes keeps its place in Firefox (153), as the RFC has it, and is
 * last in Chromium (156). Right only where nothing has to be known of how the browser's cookies came about; a script may
 * change them still, so a request is compared before it gets an answer.
 *
 * @param cookie the field of the request before; null for none
 * @param url of the answer
 * @param keepsPlace whether the browser is Firefox
 * @returns the field, null for none, or undefined when it can not be told
 */
export function cookieAfter(cookie: string | null, setCookies: readonly string[], url: URL, keepsPlace: boolean, nowMs: number): string | null | undefined {
  const pairs = cookie === null ? [] : cookie.split('; ');
  if (pairs.length + setCookies.length > MAX_COOKIES) return undefined;
  const scopes = new Map<string, string>();
  for (const setCookie of setCookies) {
    const [first = '', ...rest] = setCookie.split(';');
    const attributes: Attributes = new Map(rest.map(parted).map(([attribute, value]) => [attribute.toLowerCase(), value]));
    const pair = first.includes('=') ? parted(first).join('=') : first;
    const name = nameOf(pair);
    const domain = domainOf(attributes.get('domain') ?? '', url.hostname);
    const places = pairs.flatMap((each, place) => (nameOf(each) === name ? [place] : []));
    if (domain === null || places.length > 1 || !isClear(pair, attributes, url)) return undefined;
    const isPartitioned = attributes.has('partitioned');
    const scope = `${domain} ${isPartitioned}`;
    const [place] = places;
    const isGone = hasExpired(attributes, nowMs);
    if (place === undefined && isGone) continue;
    // one of another scope is another cookie, and those that are there are mostly of the scope in which they are set again
    if (place !== undefined && (scopes.get(name) ?? (isPartitioned ? '' : scope)) !== scope) return undefined;
    scopes.set(name, scope);
    const isInPlace = place !== undefined && !isGone && (keepsPlace || pairs[place] === pair);
    if (place !== undefined) pairs.splice(place, 1, ...(isInPlace ? [pair] : []));
    if (!isGone && !isInPlace) pairs.push(pair);
  }
  return pairs.length === 0 ? null : pairs.join('; ');
}

type Attributes = ReadonlyMap<string, string>;

/** Whether browsers take it from this URL, and send it with all requests to the same origin. */
function isClear(pair: string, attributes: Attributes, { protocol, pathname }: URL): boolean {
  const [name, path, isSecure] = [nameOf(pair), attributes.get('path') ?? '', attributes.has('secure')];
  // without a path it is of the directory (RFC 6265, section 5.1.4)
  if (path.startsWith('/') ? path !== '/' : pathname.lastIndexOf('/') > 0) return false;
  if (!pair.includes('=') || name === '' || pair.length > MAX_CHARS || (attributes.has('partitioned') && !isSecure)) return false;
  if (isSecure ? protocol !== 'https:' : /^none$/i.test(attributes.get('samesite') ?? '')) return false;
  return hasItsPrefix(name, path, attributes);
}

/** Whether it is as its name says (RFC 6265bis, section 4.1.3); of newer prefixes nothing is known. */
function hasItsPrefix(name: string, path: string, attributes: Attributes): boolean {
  const [, prefix] = /^__((?:host-)?http|host|secure)-/i.exec(name)?.map((part) => part.toLowerCase()) ?? [];
  if (prefix === undefined) return true;
  return attributes.has('secure') && (prefix === 'secure' || (prefix === 'host' && path === '/' && !attributes.has('domain')));
}

/** @returns null for an address, and what many sites are below */
const siteOf = (host: string): string | null => getDomain(host, { allowPrivateDomains: true });

/** @returns the domain whose hosts it is sent to, empty for the host alone; null for what browsers refuse (RFC 6265, section 5.3) */
function domainOf(attribute: string, host: string): string | null {
  const domain = attribute.replace(/^\./, '').toLowerCase();
  const site = siteOf(domain);
  if (domain === '' || domain === host) return site === null ? '' : domain;
  return host.endsWith(`.${domain}`) && site !== null && site === siteOf(host) ? domain : null;
}

/** @param pair of a Cookie field, or a Set-Cookie field with its attributes */
export function cookieName(pair: string): string {
  return nameOf(pair.split(';', 1)[0] ?? '');
}

function nameOf(pair: string): string {
  return parted(pair)[0];
}

/** Without the space around them (RFC 6265bis, section 5.6). */
function parted(pair: string): [name: string, value: string] {
  const place = pair.indexOf('=');
  return place < 0 ? [trimmed(pair), ''] : [trimmed(pair.slice(0, place)), trimmed(pair.slice(place + 1))];
}

function hasExpired(attributes: ReadonlyMap<string, string>, nowMs: number): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(attributes.get('expires') ?? '') <= nowMs;
}
