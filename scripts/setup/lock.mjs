import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { SetupError } from './error.mjs';

/** A first set-up on a slow machine takes minutes; more than this is a fault. */
const WAIT_LIMIT_S = 20 * 60;

/**
 * Runs `work` while no other process that uses the same directory does. The lock is on a file that this process has open (flock(2)): whatever way it
 * ends, the kernel gives the lock back.
 * @param {string} directory made when it is not there; the lock is on its file `lock`
 * @param {() => void | Promise<void>} work
 */
export async function withLock(directory, work, waitLimitS = WAIT_LIMIT_S) {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'lock');
  const file = openSync(path, 'a');
  /** @param {...string} wait */
  const isLocked = (...wait) => spawnSync('flock', [...wait, '3'], { stdio: ['ignore', 'ignore', 'inherit', file] }).status === 0;
  try {
    if (!isLocked('--nonblock')) {
      process.stderr.write('set-up: waiting for another process that is setting this checkout up\n');
      if (!isLocked('--timeout', String(waitLimitS))) throw new SetupError('E_SETUP_LOCK', `could not set up: ${path} was not to be had in ${waitLimitS} s`, 'End what else sets this checkout up (flock of util-linux has to be in PATH), then run this again');
    }
    await work();
  } finally {
    closeSync(file);
  }
}
