export interface Settings {
  /** Whether pages are helped at all. */
  readonly enabled: boolean;
  /** Holds every image from a page's first, whatever the link has to do; for diagnosis and for tests of the gate. */
  readonly alwaysHold: boolean;
}

const KEYS = ['enabled', 'alwaysHold'];

export async function readSettings(): Promise<Settings> {
  const { enabled, alwaysHold } = await chrome.storage.local.get(KEYS);
  return { enabled: enabled !== false, alwaysHold: alwaysHold === true };
}

export function writeEnabled(enabled: boolean): Promise<void> {
  return chrome.storage.local.set({ enabled });
}

export function watchSettings(changed: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (KEYS.some((key) => key in changes)) changed();
  });
}
