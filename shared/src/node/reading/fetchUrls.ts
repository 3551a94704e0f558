/** Longer ones are rare, and a server may refuse them. */
const MAX_URL_CHARS = 8 * 1024;

/**
 * The URL that a browser would ask for, absolute and without fragment.
 *
 * @param isUtf8 whether the document's encoding is UTF-8
 * @returns null for one that is not http: or https:, that has a name and a password, or that a browser may change or
 * refuse
 */
export function resolveFetchUrl(href: string, baseUrl: string, isUtf8: boolean): string | null {
  if (href.length > MAX_URL_CHARS) return null;
  const url = URL.parse(href, baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return null;
  // dangling markup: refused (Fetch, section 4.1, "main fetch")
  if (/[\n\r\t]/.test(href.trim()) && href.includes('<')) return null;
  const [, query = ''] = (href.split('#', 1)[0] ?? '').split(/\?(.*)/s);
  if (!isUtf8 && /[^\x00-\x7f]/.test(query)) return null;
  url.hash = '';
  return url.href;
}
