/** What a cookie of this kind needs is not known here, or the browser may refuse it. */
const UNCLEAR_ATTRIBUTE = /^(?:domain|partitioned)$/;

/**
 * The Cookie field of requests to the same origin that follow an answer with these Set-Cookie fields (RFC 6265,
 * sections 5.3 and 5.4): those that are there are replaced in their place, new ones are last. Right only where nothing
 * has to be known of how the browser's cookies came about; a script may change them still, so a request is compared
 * before it gets an answer.
 *
 * @param cookie the field of the request before; null for none
 * @param isSecure whether the origin is https:
 * @returns the field, null for none, or undefined when it can not be told
 */
export function cookieAfter(cookie: string | null, setCookies: readonly string[], isSecure: boolean, nowMs: number): string | null | undefined {
  const pairs = cookie === null ? [] : cookie.split('; ');
  for (const setCookie of setCookies) {
    const [pair = '', ...rest] = setCookie.split(';').map((part) => part.trim());
    const attributes = new Map(rest.map((part): [string, string] => [nameOf(part).toLowerCase(), part.slice(nameOf(part).length + 1).trim()]));
    const name = nameOf(pair);
    const places = pairs.flatMap((each, place) => (nameOf(each) === name ? [place] : []));
    const isClear = pair.includes('=') && name !== '' && !/^__(?:secure|host|http)/i.test(name) && attributes.get('path') === '/' && places.length <= 1;
    if (!isClear || [...attributes.keys()].some((each) => UNCLEAR_ATTRIBUTE.test(each)) || (attributes.has('secure') && !isSecure)) return undefined;
    if (/^none$/i.test(attributes.get('samesite') ?? '') && !attributes.has('secure')) return undefined;
    const isGone = hasExpired(attributes, nowMs);
    const [place] = places;
    if (place !== undefined) pairs.splice(place, 1, ...(isGone ? [] : [pair]));
    else if (!isGone) pairs.push(pair);
  }
  return pairs.length === 0 ? null : pairs.join('; ');
}

/** @param pair of a Cookie field, or a Set-Cookie field with its attributes */
export function cookieName(pair: string): string {
  return nameOf(pair.split(';', 1)[0] ?? '');
}

function nameOf(pair: string): string {
  return (pair.split('=', 1)[0] ?? '').trim();
}

function hasExpired(attributes: ReadonlyMap<string, string>, nowMs: number): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined && /^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0;
  return Date.parse(attributes.get('expires') ?? '') <= nowMs;
}
