import { deviceAbilities } from '../platform/deviceAbilities.ts';

/** Optional: a browser says of it that the extension may read the history, so nobody is asked for it but by a switch of the options page. */
const HISTORY_ACCESS: chrome.permissions.Permissions = { permissions: ['history'] };

/** Whether the memory can follow what the browser erases; where not, nobody is to be asked for it. */
export async function mayHaveHistoryAccess(): Promise<boolean> {
  return (await deviceAbilities()).hasHistory;
}

/** Whether it does. */
export async function hasHistoryAccess(): Promise<boolean> {
  return (await mayHaveHistoryAccess()) && chrome.permissions.contains(HISTORY_ACCESS);
}

/** Asks the user; only inside a click, or the browser refuses. @returns whether it is given */
export function requestHistoryAccess(): Promise<boolean> {
  return chrome.permissions.request(HISTORY_ACCESS);
}

export function giveUpHistoryAccess(): Promise<boolean> {
  return chrome.permissions.remove(HISTORY_ACCESS);
}

/** @param changed it was given or taken back, or another permission */
export function watchHistoryAccess(changed: () => void): void {
  chrome.permissions.onAdded.addListener(changed);
  chrome.permissions.onRemoved.addListener(changed);
}
