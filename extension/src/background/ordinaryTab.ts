/** A user's containers in Firefox have other stores; elsewhere there are none. */
const DEFAULT_STORE = 'firefox-default';

/** Whose cookies and memories a tab uses. */
export interface TabOwner {
  readonly incognito: boolean;
  readonly cookieStoreId?: string | undefined;
}

/**
 * Whether the helper may carry, hear of and foresee what is asked for there: nothing of private windows and containers,
 * which share neither cookies nor memories with others.
 */
export function isOrdinary({ incognito, cookieStoreId = DEFAULT_STORE }: TabOwner): boolean {
  return !incognito && cookieStoreId === DEFAULT_STORE;
}

/** The same of a tab by its id; of one that is gone nobody can say so. */
export function isOrdinaryTab(tabId: number): Promise<boolean> {
  return chrome.tabs.get(tabId).then(isOrdinary, () => false);
}
