export interface Settings {
  /** Whether pages are helped at all. */
  readonly enabled: boolean;
  /** Holds every image from a page's first, whatever the link has to do; for diagnosis and for tests of the gate. */
  readonly alwaysHold: boolean;
  /** Helps on a fast link too; for diagnosis, and for tests over loopback. */
  readonly anyLink: boolean;
  /** Whether the helper remembers what pages needed, and pages ask for that from the start. Off until it is measured. */
  readonly remember: boolean;
  /** Whether requests go by the helper's connections. Off until it is measured. */
  readonly connections: boolean;
}

const KEYS = ['enabled', 'alwaysHold', 'anyLink', 'remember', 'connections'];

export async function readSettings(): Promise<Settings> {
  const { enabled, alwaysHold, anyLink, remember, connections } = await chrome.storage.local.get(KEYS);
  return {
    enabled: enabled !== false,
    alwaysHold: alwaysHold === true,
    anyLink: anyLink === true,
    remember: remember === true,
    connections: connections === true,
  };
}

/** What the user decides in the popup. */
export function writeSettings(changes: Partial<Pick<Settings, 'enabled' | 'remember' | 'connections'>>): Promise<void> {
  return chrome.storage.local.set(changes);
}

export function watchSettings(changed: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (KEYS.some((key) => key in changes)) changed();
  });
}
