import type { ColdConnections } from '../coldConnections.ts';

/** Optional: it could erase what the browser keeps, so it is asked for by who begins to measure alone, and given back. */
const PERMISSION: chrome.permissions.Permissions = { permissions: ['browsingData'] };
/** No name server knows it (RFC 6761, section 6.4), so no browser has a cookie of it. */
const NOBODY = 'https://measure.firstscreen.invalid';

/**
 * Chromium closes all its connections when cookies are removed, whichever they are, so that none is used on that was made
 * with them (BrowsingDataRemoverImpl, NetworkContext::ClearHttpAuthCache). So those of nobody are removed, from now on:
 * nothing of the user's is. Requests over HTTP/1.1 that are under way end as they would; streams of HTTP/2 are cut.
 */
export const coldConnections: ColdConnections = {
  disturbs: true,
  mayClose: () => chrome.permissions.contains(PERMISSION),
  request: () => chrome.permissions.request(PERMISSION),
  async giveUp() {
    await chrome.permissions.remove(PERMISSION);
  },
  close: () => chrome.browsingData.remove({ since: Date.now(), origins: [NOBODY] }, { cookies: true }),
};
