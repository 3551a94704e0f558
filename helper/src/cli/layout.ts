import { join } from 'node:path';
import { PRIVATE_DIRECTORY_MODE } from '../files.ts';
import { ownDirectory } from '../userDirectories.ts';
import type { Machine } from './machine.ts';

/** For one user, or for all of them. */
export type Scope = 'user' | 'system';

/** Where an installation is: in a scope's place, or where the Debian package has put it, for the package manager alone to change. */
export type Place = Scope | 'package';

/** The files that `install` makes beside the browsers' manifests. */
export interface Layout {
  readonly directory: string;
  readonly directoryMode: number;
  /** What manifests point at. */
  readonly launcher: string;
  /** What the launcher runs, unless that is where it was: a bundle, or an executable with Node inside. */
  readonly bundle: string;
  readonly executable: string;
  /** What was installed: see receipt.ts. */
  readonly receipt: string;
  /** The extension for browsers under a policy, the list of versions that they read, and the private key that names it. */
  readonly crx: string;
  readonly updateList: string;
  readonly extensionKey: string;
}

const PUBLIC_DIRECTORY_MODE = 0o755;

export function layoutOf(place: Place, machine: Machine): Layout {
  const directory = directoryOf(place, machine);
  return {
    directory,
    directoryMode: place === 'user' ? PRIVATE_DIRECTORY_MODE : PUBLIC_DIRECTORY_MODE,
    launcher: join(directory, 'firstscreen-helper'),
    bundle: join(directory, 'firstscreen-helper.mjs'),
    executable: join(directory, 'firstscreen-helper.bin'),
    receipt: join(directory, 'install.json'),
    crx: join(directory, 'extension.crx'),
    updateList: join(directory, 'update.xml'),
    extensionKey: join(directory, 'extension.key.pem'),
  };
}

function directoryOf(place: Place, machine: Machine): string {
  if (place === 'user') return ownDirectory('DATA', machine);
  if (place === 'package') return join(machine.root, 'usr/lib/firstscreen');
  return join(machine.root, machine.platform === 'darwin' ? 'Library/Application Support/Firstscreen' : 'usr/local/lib/firstscreen');
}
