import { WEB_URLS } from '../urls/webUrls.ts';

/** What the manifest asks for; the user may take it back at any time, and then content scripts stop without a word. */
const SITE_ACCESS: chrome.permissions.Permissions = { origins: WEB_URLS };

export function hasSiteAccess(): Promise<boolean> {
  return chrome.permissions.contains(SITE_ACCESS);
}

/** Asks the user; only inside a click, or the browser refuses. */
export function requestSiteAccess(): Promise<boolean> {
  return chrome.permissions.request(SITE_ACCESS);
}

export function watchSiteAccess(changed: () => void): void {
  chrome.permissions.onAdded.addListener(changed);
  chrome.permissions.onRemoved.addListener(changed);
}
