import { isAbsolute } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Account } from '../userDirectories.ts';

/** Systems whose browsers' directories we know. */
export type Platform = 'linux' | 'darwin';

/** Everything of the machine that decides where files go; an argument, so that each platform's table is tested on any other. */
export interface Machine extends Account {
  readonly platform: Platform;
  /** What stands before system directories: `/` on a real machine. */
  readonly root: string;
  /** Who may write there. */
  readonly isRoot: boolean;
}

/** @throws FirstscreenError E_PLATFORM */
export function machineOf(platform: NodeJS.Platform, home: string, env: NodeJS.ProcessEnv): Machine {
  if (!isAbsolute(home)) throw new FirstscreenError('E_PLATFORM', `There is no home directory: HOME is "${home}".`, 'Set HOME to your home directory, by its full path.');
  if (platform === 'linux' || platform === 'darwin') return { platform, home, env, root: '/', isRoot: process.getuid?.() === 0 };
  throw new FirstscreenError('E_PLATFORM', `The helper can not be installed on ${platform}.`, 'Use the extension without it, or use Linux or macOS.');
}
