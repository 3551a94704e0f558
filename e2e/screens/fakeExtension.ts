/** All that a page of the extension gets to know from the browser and the background script. */
export interface World {
  /** Of `storage.local`. */
  readonly storage: Readonly<Record<string, unknown>>;
  /** Of `storage.session`. */
  readonly session: Readonly<Record<string, unknown>>;
  /** Names of permissions, and patterns of sites, that the user has given. */
  readonly granted: readonly string[];
  /** The tab on which the popup was opened. */
  readonly tab: { readonly id: number; readonly url: string; readonly incognito: boolean };
  /** What the background script answers, by the message's `type`. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** What it says on a port by itself, by the port's name. */
  readonly news: Readonly<Record<string, readonly unknown[]>>;
}

/** At this moment of the wall clock everything stands still. */
export const NOW_MS = Date.UTC(2026, 10, 26, 12);

/** Texts of the extension's pages in a language. */
export interface Texts {
  /** BCP 47; numbers and dates are written as it does. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** By their keys, with `$1` to `$9`. */
  readonly messages: Readonly<Record<string, string>>;
}

export interface FakeExtension {
  readonly world: World;
  readonly texts: Texts;
  readonly version: string;
  readonly nowMs: number;
  /** Whether the page is one of the developer tools. */
  readonly isInDevtools: boolean;
}

/** What the page of a fake has besides. */
export interface FakedWindow {
  /** What went wrong in it, and what it has asked that its world does not answer. */
  readonly screenErrors: readonly string[];
}

/**
 * The extension's API, as a page finds it before its first script. It runs in the page, so it refers to nothing outside
 * itself. There is as much of it as the pages use: what is missing is a TypeError of the page, which fails the run.
 */
export function fakeExtension({ world, texts, version, nowMs, isInDevtools }: FakeExtension): void {
  type Listener = (...told: readonly unknown[]) => void;

  const screenErrors: string[] = [];
  const faked: FakedWindow = { screenErrors };
  Object.assign(globalThis, faked);
  addEventListener('error', ({ message }) => screenErrors.push(message));
  addEventListener('unhandledrejection', ({ reason }) => screenErrors.push(String(reason)));

  const eventOf = (listeners: Listener[] = []): { addListener(listener: Listener): void } => ({ addListener: (listener) => void listeners.push(listener) });
  const areaOf = (items: Readonly<Record<string, unknown>>): object => {
    const stored: Record<string, unknown> = { ...items };
    const changed: Listener[] = [];
    return {
      get: (wanted: string | Readonly<Record<string, unknown>>) => {
        const defaults = typeof wanted === 'string' ? { [wanted]: undefined } : wanted;
        return Promise.resolve(Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, stored[name] ?? value])));
      },
      set: (changes: Readonly<Record<string, unknown>>) => {
        Object.assign(stored, changes);
        for (const listener of changed) listener(changes);
        return Promise.resolve();
      },
      onChanged: eventOf(changed),
    };
  };
  const isGranted = ({ permissions = [], origins = [] }: { readonly permissions?: readonly string[]; readonly origins?: readonly string[] }): Promise<boolean> =>
    Promise.resolve([...permissions, ...origins].every((each) => world.granted.includes(each)));
  const textOf = (key: string, substitutions: readonly string[] = []): string => {
    if (key === '@@ui_locale') return texts.language.replaceAll('-', '_');
    if (key === '@@bidi_dir') return texts.direction;
    return (texts.messages[key] ?? '').replaceAll(/\$([1-9])/g, (_, place: string) => substitutions[Number(place) - 1] ?? '');
  };
  const portOf = (name: string): object => {
    const heard: Listener[] = [];
    for (const news of world.news[name] ?? []) setTimeout(() => heard.forEach((listener) => listener(news)));
    return { name, onMessage: eventOf(heard), onDisconnect: eventOf(), postMessage: () => undefined, disconnect: () => undefined };
  };
  Date.now = () => nowMs;
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;

  const chrome = {
    i18n: { getMessage: textOf, getUILanguage: () => texts.language },
    runtime: {
      getManifest: () => ({ version }),
      getPlatformInfo: () => Promise.resolve({ os: 'linux', arch: 'x86-64' }),
      connect: ({ name }: { readonly name: string }) => portOf(name),
      sendMessage: ({ type }: { readonly type: string }) => {
        if (type in world.answers) return Promise.resolve(structuredClone(world.answers[type]));
        screenErrors.push(`nobody answers ${type}`);
        return Promise.reject(new Error('Could not establish connection. Receiving end does not exist.'));
      },
    },
    storage: { local: areaOf(world.storage), session: areaOf(world.session) },
    permissions: { contains: isGranted, request: isGranted, remove: isGranted, onAdded: eventOf(), onRemoved: eventOf() },
    tabs: { query: () => Promise.resolve([world.tab]), onUpdated: eventOf() },
    ...(isInDevtools && {
      devtools: {
        inspectedWindow: { tabId: world.tab.id },
        network: { onRequestFinished: eventOf(), onNavigated: eventOf(), getHAR: (told: (har: object) => void) => told({ entries: [] }) },
        panels: { themeName: isDark ? 'dark' : 'default' },
      },
    }),
  };
  // Chromium has an object of that name for pages of the web
  Object.defineProperty(globalThis, 'chrome', { value: chrome });
}
