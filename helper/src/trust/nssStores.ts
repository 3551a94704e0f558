import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../files.ts';
import { xdgDirectory, type Account } from '../userDirectories.ts';
import { firefoxProfiles } from './firefoxProfiles.ts';

/** A directory with certificates of a browser: a database of Network Security Services (NSS). */
export interface NssStore {
  readonly directory: string;
  readonly browser: 'Chromium' | 'Firefox';
}

/** The parts of a store as certutil makes it (the `sql:` format, which browsers have used since 2017). */
export const STORE_FILES = ['cert9.db', 'key4.db', 'pkcs11.txt'] as const;
const CERTIFICATES_FILE = STORE_FILES[0];

/** Browsers of the Chromium family as Snap and Flatpak call them. */
const SNAPS = ['chromium', 'brave', 'opera', 'vivaldi'];
const FLATPAKS = ['org.chromium.Chromium', 'io.github.ungoogled_software.ungoogled_chromium', 'com.google.Chrome', 'com.brave.Browser', 'com.microsoft.Edge', 'com.vivaldi.Vivaldi', 'com.opera.Opera'];

/** Every store of a user that is there now, each once. Profiles that Firefox has never been started with have none yet. */
export function findStores(account: Account): NssStore[] {
  const candidates: NssStore[] = [
    ...chromiumDirectories(account).map((directory) => ({ directory, browser: 'Chromium' }) as const),
    ...firefoxProfiles(account).map((directory) => ({ directory, browser: 'Firefox' }) as const),
  ];
  // Snap's "current" is a link to one of its neighbours
  return [...new Map(candidates.filter(({ directory }) => isStore(directory)).map((store) => [realpathSync(store.directory), store])).values()];
}

/** Not in a directory that may not be entered, nor under a name that no file can have: a profiles.ini may name anything. */
export function isStore(directory: string): boolean {
  return existsSync(join(directory, CERTIFICATES_FILE));
}

/**
 * The store that Chromium and its relatives would make at their first start, when there is none of theirs in the home directory; null when there is.
 *
 * Source: crypto/nss_util.cc in Chromium; in the XDG place with some distributions' patch, which prefers the old place if that is there, so a second store is never made.
 */
export function missingChromiumStore(account: Account): NssStore | null {
  const [directory, ...others] = homeDirectories(account);
  return [directory, ...others].some(isStore) ? null : { directory, browser: 'Chromium' };
}

function homeDirectories(account: Account): [string, string] {
  return [join(account.home, '.pki/nssdb'), join(xdgDirectory('DATA', account), 'pki/nssdb')];
}

function chromiumDirectories(account: Account): string[] {
  const { home } = account;
  return [
    ...homeDirectories(account),
    // each revision of a snap has a copy of its home
    ...SNAPS.flatMap((name) => namesIn(join(home, 'snap', name)).map((revision) => join(home, 'snap', name, revision, '.pki/nssdb'))),
    ...FLATPAKS.flatMap((id) => ['.pki/nssdb', 'data/pki/nssdb'].map((place) => join(home, '.var/app', id, place))),
  ];
}
