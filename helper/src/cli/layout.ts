import { join } from 'node:path';
import { ownDirectory } from '../userDirectories.ts';
import type { Machine } from './machine.ts';

/** For one user, or for all of them. */
export type Scope = 'user' | 'system';

/** The files that `install` makes beside the browsers' manifests. */
export interface Layout {
  readonly directory: string;
  readonly directoryMode: number;
  /** What manifests point at. */
  readonly launcher: string;
  readonly bundle: string;
  /** What was installed: see receipt.ts. */
  readonly receipt: string;
  /** The extension for browsers under a policy, the list of versions that they read, and the private key that names it. */
  readonly crx: string;
  readonly updateList: string;
  readonly extensionKey: string;
}

const PRIVATE_DIRECTORY_MODE = 0o700;
const PUBLIC_DIRECTORY_MODE = 0o755;

export function layoutOf(scope: Scope, machine: Machine): Layout {
  const directory = scope === 'user' ? ownDirectory('DATA', machine) : join(machine.root, machine.platform === 'darwin' ? 'Library/Application Support/Firstscreen' : 'usr/local/lib/firstscreen');
  return {
    directory,
    directoryMode: scope === 'user' ? PRIVATE_DIRECTORY_MODE : PUBLIC_DIRECTORY_MODE,
    launcher: join(directory, 'firstscreen-helper'),
    bundle: join(directory, 'firstscreen-helper.mjs'),
    receipt: join(directory, 'install.json'),
    crx: join(directory, 'extension.crx'),
    updateList: join(directory, 'update.xml'),
    extensionKey: join(directory, 'extension.key.pem'),
  };
}
