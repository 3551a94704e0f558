import { valuesOf, without, type RawHeaders } from './rawHeaders.ts';

/**
 * A browser that sends one of these wants a part, has a copy already, or shows who asks (RFC 9110, sections 11.6.2,
 * 13.1 and 14.2).
 */
export const OWN_FIELDS: readonly string[] = ['authorization', 'range', 'if-range', 'if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since'];

/** All Cookie fields as one: HTTP/2 lets a browser send them in crumbs (RFC 9113, section 8.2.3). */
export function cookieOf(request: RawHeaders): string | null {
  const crumbs = valuesOf(request, 'cookie');
  return crumbs.length === 0 ? null : crumbs.join('; ');
}

/** The same request with these cookies; null for none. */
export function withCookie(request: RawHeaders, cookie: string | null): string[] {
  return [...without(request, 'cookie'), ...(cookie === null ? [] : ['Cookie', cookie])];
}
