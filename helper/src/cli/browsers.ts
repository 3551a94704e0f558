import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programDirectories, xdgDirectory } from '../userDirectories.ts';
import type { Scope } from './layout.ts';
import type { Machine } from './machine.ts';

/** Decides the form of the manifest: Chromium names origins, Firefox add-on ids. */
export type BrowserFamily = 'chromium' | 'firefox';

/** Directories and programs of one browser on one platform; null where the browser documents no such place. */
interface Places {
  /** Made by the browser for one user: its presence means that the browser has run here. */
  readonly user: readonly string[];
  /** Manifests for that user, and for all users. */
  readonly manifests: string;
  readonly systemManifests: string | null;
  /** Where builds of some distributions look instead, who then have made the directory around it. */
  readonly otherSystemManifests?: string;
  /** Policies of administrators. */
  readonly policies: string | null;
  /** Any of these means that the browser is installed: a command on Linux, an application on macOS. */
  readonly programs: readonly string[];
}

interface Browser {
  readonly title: string;
  readonly family: BrowserFamily;
  readonly linux: Places;
  readonly darwin: Places;
}

/**
 * Where each browser looks, by the browsers' own pages: developer.chrome.com (native messaging), learn.microsoft.com
 * (Edge), MDN (native manifests; Fedora's builds look in lib64, HAVE_USR_LIB64_DIR), support.brave.com (policies). Brave documents no place for manifests; the user's is
 * the one it makes itself (brave/brave-browser issue 5272). Firefox keeps to `~/.mozilla` for manifests even where its
 * profiles moved to the XDG directories (bugzilla 2005167), and so does the portal by which one from Snap or Flatpak may
 * start the helper (sandboxes.ts). `~` is the home directory, `$config` XDG_CONFIG_HOME or
 * `~/.config`, `$support` macOS's Application Support.
 */
export const BROWSERS = {
  chromium: chromium('Chromium', ['$config/chromium', 'etc/chromium', ['chromium', 'chromium-browser']], ['Chromium', 'Library/Application Support/Chromium']),
  chrome: chromium('Chrome', ['$config/google-chrome', 'etc/opt/chrome', ['google-chrome', 'google-chrome-stable']], ['Google/Chrome', 'Library/Google/Chrome', 'Google Chrome']),
  brave: chromium('Brave', ['$config/BraveSoftware/Brave-Browser', 'etc/brave', ['brave', 'brave-browser']], ['BraveSoftware/Brave-Browser', null, 'Brave Browser']),
  edge: chromium('Edge', ['$config/microsoft-edge', 'etc/opt/edge', ['microsoft-edge', 'microsoft-edge-stable']], ['Microsoft Edge', 'Library/Microsoft/Edge']),
  firefox: {
    title: 'Firefox',
    family: 'firefox',
    linux: { user: ['~/.mozilla', '$config/mozilla', '~/snap/firefox', '~/.var/app/org.mozilla.firefox'], manifests: '~/.mozilla/native-messaging-hosts', systemManifests: 'usr/lib/mozilla/native-messaging-hosts', otherSystemManifests: 'usr/lib64/mozilla/native-messaging-hosts', policies: null, programs: ['firefox', 'firefox-esr'] },
    darwin: { user: ['$support/Mozilla', '$support/Firefox'], manifests: '$support/Mozilla/NativeMessagingHosts', systemManifests: 'Library/Application Support/Mozilla/NativeMessagingHosts', policies: null, programs: ['Firefox.app'] },
  },
} as const satisfies Record<string, Browser>;

export type BrowserName = keyof typeof BROWSERS;

export const BROWSER_NAMES = Object.keys(BROWSERS) as BrowserName[];

/** The layout that Chromium browsers share. @param linux the user's directory, that of the system's settings, commands @param darwin the same two (the first in `$support`), and the application; without the second no place for manifests of all users */
function chromium(title: string, [user, etc, programs]: readonly [string, string, readonly string[]], [support, library, application = title]: readonly [string, string | null, string?]): Browser {
  const ownSupport = `$support/${support}`;
  const system = library === null ? { linux: null, darwin: null } : { linux: `${etc}/native-messaging-hosts`, darwin: `${library}/NativeMessagingHosts` };
  return {
    title,
    family: 'chromium',
    linux: { user: [user], manifests: `${user}/NativeMessagingHosts`, systemManifests: system.linux, policies: `${etc}/policies/managed`, programs },
    darwin: { user: [ownSupport], manifests: `${ownSupport}/NativeMessagingHosts`, systemManifests: system.darwin, policies: null, programs: [`${application}.app`] },
  };
}

/** Where this browser's maker has it look for the manifests of one user, or of all; null where it documents no such place. */
export function manifestDirectory(name: BrowserName, scope: Scope, machine: Machine): string | null {
  const { manifests, systemManifests }: Places = BROWSERS[name][machine.platform];
  return scope === 'user' ? expand(manifests, machine) : underRoot(systemManifests, machine);
}

/** Every place where a build of this browser may look; none where it documents no such place. */
export function manifestDirectories(name: BrowserName, scope: Scope, machine: Machine): string[] {
  const { otherSystemManifests }: Places = BROWSERS[name][machine.platform];
  const other = scope === 'system' ? underRoot(otherSystemManifests ?? null, machine) : null;
  return [manifestDirectory(name, scope, machine), other !== null && existsSync(dirname(other)) ? other : null].filter((directory) => directory !== null);
}

/** Where an administrator's policies for this browser are; null where we know of none. */
export function policyDirectory(name: BrowserName, machine: Machine): string | null {
  return underRoot(BROWSERS[name][machine.platform].policies, machine);
}

/** What this browser makes for one user, with his profiles in it. */
export function profileDirectories(name: BrowserName, machine: Machine): string[] {
  const { user }: Places = BROWSERS[name][machine.platform];
  return user.map((directory) => expand(directory, machine));
}

/** Whether the browser has run for this user, or is installed where we would see it. */
export function isPresent(name: BrowserName, machine: Machine): boolean {
  const { programs }: Places = BROWSERS[name][machine.platform];
  if (profileDirectories(name, machine).some((directory) => existsSync(directory))) return true;
  return applicationDirectories(machine).some((directory) => programs.some((program) => existsSync(join(directory, program))));
}

function underRoot(place: string | null, { root }: Machine): string | null {
  return place === null ? null : join(root, place);
}

function applicationDirectories({ platform, root, home, env }: Machine): string[] {
  if (platform === 'darwin') return [join(root, 'Applications'), join(home, 'Applications')];
  return programDirectories(env);
}

function expand(place: string, machine: Machine): string {
  return place
    .replace(/^~/, () => machine.home)
    .replace(/^\$config/, () => xdgDirectory('CONFIG', machine))
    .replace(/^\$support/, () => join(machine.home, 'Library/Application Support'));
}
