/**
 * Firefox runs no content scripts there but does show their requests to `proxy.onRequest` (default of the preference
 * extensions.webextensions.restrictedDomains; Firefox 153).
 */
const RESTRICTED_HOSTS: ReadonlySet<string> = new Set([
  'accounts-static.cdn.mozilla.net',
  'accounts.firefox.com',
  'addons.cdn.mozilla.net',
  'addons.mozilla.org',
  'api.accounts.firefox.com',
  'content.cdn.mozilla.net',
  'discovery.addons.mozilla.org',
  'oauth.accounts.firefox.com',
  'profile.accounts.firefox.com',
  'support.mozilla.org',
  'sync.services.mozilla.com',
]);

export function isWithoutContentScripts(documentUrl: string | undefined): boolean {
  return documentUrl !== undefined && URL.canParse(documentUrl) && RESTRICTED_HOSTS.has(new URL(documentUrl).hostname);
}
