/** The one setting: whether pages are helped at all. */
const ENABLED_KEY = 'enabled';

export async function readEnabled(): Promise<boolean> {
  const stored = await chrome.storage.local.get(ENABLED_KEY);
  return stored[ENABLED_KEY] !== false;
}

export function writeEnabled(enabled: boolean): Promise<void> {
  return chrome.storage.local.set({ [ENABLED_KEY]: enabled });
}

export function watchEnabled(changed: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (ENABLED_KEY in changes) changed();
  });
}
