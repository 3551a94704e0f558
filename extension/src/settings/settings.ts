export interface Settings {
  /** Whether pages are helped at all. */
  readonly enabled: boolean;
  /** Whether the helper remembers what pages needed, to ask for it ahead. Off until it is measured. */
  readonly remember: boolean;
  /** Whether requests go by the helper's connections. Off until it is measured. */
  readonly connections: boolean;
  /** Whether the page of a link that the pointer rests on is prepared, by the helper's connections. */
  readonly nextPage: boolean;
  /** Whether some pages are loaded without Firstscreen, so that the history of their sites can compare. */
  readonly compareVisits: boolean;
  /** Whether images far from the view are fetched only when somebody comes near them, where a site's rule says nothing else. */
  readonly dataSaver: boolean;
  /** Whether encrypted requests go by the user's relay where there is no helper. */
  readonly relay: boolean;
}

const DEFAULTS: Settings = { enabled: true, remember: false, connections: false, nextPage: false, compareVisits: false, dataSaver: false, relay: false };

export function readSettings(): Promise<Settings> {
  return chrome.storage.local.get<Settings>({ ...DEFAULTS });
}

/** What the user decides in the popup. */
export function writeSettings(changes: Partial<Settings>): Promise<void> {
  return chrome.storage.local.set(changes);
}

/** Where the history of visits and what was measured are kept, which are written after many a page, and are no settings. */
export const HISTORY_KEY = 'history';
export const MEASURED_KEY = 'measured';
const NO_SETTINGS: ReadonlySet<string> = new Set([HISTORY_KEY, MEASURED_KEY]);

export function watchSettings(changed: () => void): void {
  chrome.storage.local.onChanged.addListener((changes) => {
    if (Object.keys(changes).some((key) => !NO_SETTINGS.has(key))) changed();
  });
}
