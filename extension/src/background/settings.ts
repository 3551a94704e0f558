/** The one setting: whether pages are helped at all. */
const ENABLED_KEY = 'enabled';

export async function readEnabled(): Promise<boolean> {
  const stored = await chrome.storage.local.get(ENABLED_KEY);
  return stored[ENABLED_KEY] !== false;
}

export function watchEnabled(changed: (enabled: boolean) => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    const change = changes[ENABLED_KEY];
    if (change !== undefined) changed(change.newValue !== false);
  });
}
