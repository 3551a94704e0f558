import { logFailure } from '../background/log.ts';

/** What Firefox has of it: no levels of access. */
type Storage = Partial<Pick<chrome.storage.StorageArea, 'setAccessLevel'>>;

/**
 * What is kept is for the extension's own pages: a content script runs in a page's process, and reads none of it. So who
 * has taken that process over gets neither the token of the user's relay nor what is known of other sites, and changes no
 * setting. Chromium's.
 */
export function closeStorage(): void {
  const local: Storage = chrome.storage.local;
  local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' }).catch(logFailure('settings', 'what is kept could not be closed to content scripts'));
}
