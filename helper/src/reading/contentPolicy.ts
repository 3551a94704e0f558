/** Directives that decide whether, or under which URL, a style sheet, script, image or font is fetched (CSP 3, section 6.1; Upgrade Insecure Requests, section 3). */
const FETCH_DIRECTIVES: ReadonlySet<string> = new Set([
  'default-src', 'script-src', 'script-src-elem', 'style-src', 'style-src-elem', 'img-src', 'font-src', 'upgrade-insecure-requests', 'block-all-mixed-content', 'sandbox',
]);

/**
 * Whether a Content-Security-Policy, of a header field or a `<meta>`, may keep a page from fetching something that its HTML names. It is not evaluated (sources, hashes, nonces):
 * under such a policy nothing is certain.
 */
export function mayBlockFetches(policy: string): boolean {
  return policy.split(/[;,]/).some((directive) => FETCH_DIRECTIVES.has((directive.trim().split(/\s/, 1)[0] ?? '').toLowerCase()));
}
