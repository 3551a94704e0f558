import { join } from 'node:path';
import { userDataDirectory } from '../userDirectories.ts';
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
}

const PRIVATE_DIRECTORY_MODE = 0o700;
const PUBLIC_DIRECTORY_MODE = 0o755;

export function layoutOf(scope: Scope, machine: Machine): Layout {
  const directory = scope === 'user' ? userDataDirectory(machine) : systemDirectory(machine);
  return {
    directory,
    directoryMode: scope === 'user' ? PRIVATE_DIRECTORY_MODE : PUBLIC_DIRECTORY_MODE,
    launcher: join(directory, 'firstscreen-helper'),
    bundle: join(directory, 'firstscreen-helper.mjs'),
    receipt: join(directory, 'install.json'),
  };
}

function systemDirectory({ platform, root }: Machine): string {
  return join(root, platform === 'darwin' ? 'Library/Application Support/Firstscreen' : 'usr/local/lib/firstscreen');
}
