import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { FIREFOX_ADDON_ID } from '../../shared/src/protocol/identity.ts';
import { EXTENSIONS } from '../browsers/executables.ts';

const EXTENSION = join(EXTENSIONS, 'firefox');
const ORIGIN = 'moz-extension://own/';

type Listener = (...told: readonly never[]) => unknown;

/** An event of the browser: what listens to it, with the filter that came with it. */
class FakeEvent {
  readonly listeners = new Map<Listener, unknown>();
  readonly addListener = (listener: Listener, filter?: unknown): void => void this.listeners.set(listener, filter);
  readonly removeListener = (listener: Listener): void => void this.listeners.delete(listener);
  readonly hasListener = (listener: Listener): boolean => this.listeners.has(listener);
}

/** The background script of the extension as it ships, in a model of Firefox for Android. */
export interface AndroidFirefox {
  /** Asks as a page of the extension does. */
  ask(question: object): Promise<unknown>;
  /** Where Firefox would send a request: what the last listener says that says anything. */
  routeOf(request: object): Promise<unknown>;
  /** Filters of those that are asked for the route of requests. */
  readonly routeFilters: () => readonly unknown[];
  /** What it has asked the network for, by the address. */
  readonly fetched: string[];
}

/**
 * Starts it. The model has the API that MDN's tables (browser-compat-data 8.1) give Firefox for Android 153, as far as the
 * manifest asks for it: `proxy.settings` is there and throws; `history`, `windows`, `devtools` and `runtime.connectNative`
 * are not, whatever the manifest says. What else is asked of it is a TypeError, which fails the test.
 *
 * @param stored in `storage.local`
 * @param relayStatus what the user's relay answers
 */
export function startAndroidFirefox(stored: Readonly<Record<string, unknown>> = {}, relayStatus = 204): AndroidFirefox {
  const [onMessage, onRequest] = [new FakeEvent(), new FakeEvent()];
  const fetched: string[] = [];
  const eventsOf = (...names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, new FakeEvent()]));
  const done = (): Promise<undefined> => Promise.resolve(undefined);
  const notHere = (): Promise<never> => Promise.reject(new Error('proxy.settings is not supported on android.'));

  const chrome = {
    runtime: {
      id: FIREFOX_ADDON_ID,
      onMessage,
      ...eventsOf('onConnect', 'onInstalled', 'onUpdateAvailable'),
      getURL: (path: string) => ORIGIN + path,
      getManifest: () => JSON.parse(readFileSync(join(EXTENSION, 'manifest.json'), 'utf8')) as unknown,
      getPlatformInfo: () => Promise.resolve({ os: 'android', arch: 'aarch64' }),
    },
    i18n: { getMessage: (key: string) => key, getUILanguage: () => 'en' },
    storage: { local: areaOf(stored), session: areaOf({}) },
    permissions: {
      contains: ({ permissions = [] }: { readonly permissions?: readonly string[] }) => (permissions.includes('history') ? Promise.reject(new TypeError('no such permission')) : Promise.resolve(true)),
      ...eventsOf('onAdded', 'onRemoved'),
    },
    tabs: { query: () => Promise.resolve([]), ...eventsOf('onRemoved', 'onUpdated') },
    action: { setTitle: done, setIcon: done, setBadgeText: done, setBadgeBackgroundColor: done, setBadgeTextColor: done },
    webRequest: eventsOf('onBeforeRequest', 'onBeforeSendHeaders', 'onSendHeaders', 'onBeforeRedirect', 'onResponseStarted', 'onCompleted', 'onErrorOccurred', 'onHeadersReceived', 'onAuthRequired'),
    proxy: { onRequest, settings: { get: notHere, set: notHere, clear: notHere } },
  };
  const fetch = (url: string): Promise<object> => {
    fetched.push(url);
    return Promise.resolve({ status: relayStatus });
  };
  const context = createContext({ chrome, browser: chrome, fetch, navigator: {}, addEventListener: () => undefined, console, setTimeout, clearTimeout, setInterval, clearInterval, URL, TextEncoder, AbortSignal, performance, crypto, btoa, structuredClone });
  runInContext(readFileSync(join(EXTENSION, 'background.js'), 'utf8'), context);

  return {
    ask: (question) => new Promise((resolve) => {
      const sender = { id: chrome.runtime.id, url: `${ORIGIN}popup.html` };
      for (const listener of onMessage.listeners.keys()) (listener as (...told: readonly unknown[]) => unknown)(question, sender, resolve);
    }),
    async routeOf(request) {
      let way: unknown;
      for (const listener of onRequest.listeners.keys()) way = (await (listener as (told: object) => unknown)(request)) ?? way;
      return way;
    },
    routeFilters: () => [...onRequest.listeners.values()],
    fetched,
  };
}

function areaOf(items: Readonly<Record<string, unknown>>): object {
  const stored = new Map(Object.entries(items));
  return {
    get(wanted: string | Readonly<Record<string, unknown>>) {
      const defaults = typeof wanted === 'string' ? { [wanted]: undefined } : wanted;
      return Promise.resolve(Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, stored.get(name) ?? value])));
    },
    set(changes: object) {
      for (const [name, value] of Object.entries(changes)) stored.set(name, value);
      return Promise.resolve();
    },
    remove: (name: string) => Promise.resolve(stored.delete(name)),
    onChanged: new FakeEvent(),
  };
}
