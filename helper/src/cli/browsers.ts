import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Machine, Platform } from './machine.ts';

/** Decides the form of the manifest: Chromium names origins, Firefox add-on ids. */
export type BrowserFamily = 'chromium' | 'firefox';

interface Places {
  /** The browser's folder for one user: its presence means that the browser has run here. */
  readonly user: readonly string[];
  /** Where it looks for manifests of that user. */
  readonly manifests: string;
  /** Where it looks for manifests of all users; null where the browser documents none. */
  readonly system: string | null;
  /** Where administrators put policies; absent where nothing is installed by policy. */
  readonly policies?: string;
  /** Any of these means that the browser is installed: a command on Linux, an application on macOS. */
  readonly programs: readonly string[];
}

interface Browser {
  readonly title: string;
  readonly family: BrowserFamily;
  readonly places: Readonly<Record<Platform, Places>>;
}

/**
 * Where each browser looks, by the browsers' own pages: developer.chrome.com (native messaging), learn.microsoft.com (Edge), MDN (native manifests). Brave documents no
 * place; the user's is the one it makes itself (brave/brave-browser issue 5272). Firefox keeps to `~/.mozilla` for manifests even where its profiles
 * moved to the XDG directories (bugzilla 2005167). `~` is the home directory, `$config` XDG_CONFIG_HOME or `~/.config`, `$support` macOS's Application Support.
 */
const BROWSERS = {
  chromium: {
    title: 'Chromium',
    family: 'chromium',
    places: {
      linux: { user: ['$config/chromium'], manifests: '$config/chromium/NativeMessagingHosts', system: 'etc/chromium/native-messaging-hosts', policies: 'etc/chromium/policies/managed', programs: ['chromium', 'chromium-browser'] },
      darwin: { user: ['$support/Chromium'], manifests: '$support/Chromium/NativeMessagingHosts', system: 'Library/Application Support/Chromium/NativeMessagingHosts', programs: ['Chromium.app'] },
    },
  },
  chrome: {
    title: 'Chrome',
    family: 'chromium',
    places: {
      linux: { user: ['$config/google-chrome'], manifests: '$config/google-chrome/NativeMessagingHosts', system: 'etc/opt/chrome/native-messaging-hosts', policies: 'etc/opt/chrome/policies/managed', programs: ['google-chrome', 'google-chrome-stable'] },
      darwin: { user: ['$support/Google/Chrome'], manifests: '$support/Google/Chrome/NativeMessagingHosts', system: 'Library/Google/Chrome/NativeMessagingHosts', programs: ['Google Chrome.app'] },
    },
  },
  brave: {
    title: 'Brave',
    family: 'chromium',
    places: {
      linux: { user: ['$config/BraveSoftware/Brave-Browser'], manifests: '$config/BraveSoftware/Brave-Browser/NativeMessagingHosts', system: null, policies: 'etc/brave/policies/managed', programs: ['brave', 'brave-browser'] },
      darwin: { user: ['$support/BraveSoftware/Brave-Browser'], manifests: '$support/BraveSoftware/Brave-Browser/NativeMessagingHosts', system: null, programs: ['Brave Browser.app'] },
    },
  },
  edge: {
    title: 'Edge',
    family: 'chromium',
    places: {
      linux: { user: ['$config/microsoft-edge'], manifests: '$config/microsoft-edge/NativeMessagingHosts', system: 'etc/opt/edge/native-messaging-hosts', policies: 'etc/opt/edge/policies/managed', programs: ['microsoft-edge', 'microsoft-edge-stable'] },
      darwin: { user: ['$support/Microsoft Edge'], manifests: '$support/Microsoft Edge/NativeMessagingHosts', system: 'Library/Microsoft/Edge/NativeMessagingHosts', programs: ['Microsoft Edge.app'] },
    },
  },
  firefox: {
    title: 'Firefox',
    family: 'firefox',
    places: {
      linux: { user: ['~/.mozilla', '$config/mozilla'], manifests: '~/.mozilla/native-messaging-hosts', system: 'usr/lib/mozilla/native-messaging-hosts', programs: ['firefox', 'firefox-esr'] },
      darwin: { user: ['$support/Mozilla', '$support/Firefox'], manifests: '$support/Mozilla/NativeMessagingHosts', system: 'Library/Application Support/Mozilla/NativeMessagingHosts', programs: ['Firefox.app'] },
    },
  },
} as const satisfies Record<string, Browser>;

export type BrowserName = keyof typeof BROWSERS;

export const BROWSER_NAMES = Object.keys(BROWSERS) as BrowserName[];

export function isBrowserName(name: string): name is BrowserName {
  return Object.hasOwn(BROWSERS, name);
}

export function familyOf(name: BrowserName): BrowserFamily {
  return BROWSERS[name].family;
}

export function titleOf(name: BrowserName): string {
  return BROWSERS[name].title;
}

/** Where this browser looks for one user's manifests. */
export function userManifestDirectory(name: BrowserName, machine: Machine): string {
  return expand(BROWSERS[name].places[machine.platform].manifests, machine);
}

/** Where this browser looks for the manifests of all users; null where it documents no such place. */
export function systemManifestDirectory(name: BrowserName, machine: Machine): string | null {
  const { system } = BROWSERS[name].places[machine.platform];
  return system === null ? null : join(machine.root, system);
}

/** Where an administrator's policies for this browser are; null where we know of none. */
export function policyDirectory(name: BrowserName, machine: Machine): string | null {
  const { policies }: Places = BROWSERS[name].places[machine.platform];
  return policies === undefined ? null : join(machine.root, policies);
}

/** Whether the browser has run for this user, or is installed where we would see it. */
export function isPresent(name: BrowserName, machine: Machine): boolean {
  const { user, programs } = BROWSERS[name].places[machine.platform];
  if (user.some((directory) => existsSync(expand(directory, machine)))) return true;
  return programDirectories(machine).some((directory) => programs.some((program) => existsSync(join(directory, program))));
}

function programDirectories(machine: Machine): string[] {
  if (machine.platform === 'darwin') return [join(machine.root, 'Applications'), join(machine.home, 'Applications')];
  return (machine.env['PATH'] ?? '').split(delimiter).filter((directory) => directory !== '');
}

function expand(place: string, machine: Machine): string {
  const config = machine.env['XDG_CONFIG_HOME'] ?? join(machine.home, '.config');
  return place
    .replace(/^~/, () => machine.home)
    .replace(/^\$config/, () => config)
    .replace(/^\$support/, () => join(machine.home, 'Library/Application Support'));
}
