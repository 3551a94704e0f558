export interface Settings {
  /** Whether pages are helped at all. */
  readonly enabled: boolean;
  /** Whether the helper remembers what pages needed, to ask for it ahead. Off until it is measured. */
  readonly remember: boolean;
  /** Whether requests go by the helper's connections. Off until it is measured. */
  readonly connections: boolean;
}

const KEYS = ['enabled', 'remember', 'connections'];

export async function readSettings(): Promise<Settings> {
  const { enabled, remember, connections } = await chrome.storage.local.get(KEYS);
  return {
    enabled: enabled !== false,
    remember: remember === true,
    connections: connections === true,
  };
}

/** What the user decides in the popup. */
export function writeSettings(changes: Partial<Settings>): Promise<void> {
  return chrome.storage.local.set(changes);
}

export function watchSettings(changed: () => void): void {
  chrome.storage.local.onChanged.addListener(() => changed());
}
