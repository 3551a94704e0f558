import { linkSync, mkdirSync, readFileSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from './error.mjs';

const POLL_MS = 200;
/** A first set-up on a slow machine takes minutes; more than this is a fault. */
const WAIT_LIMIT_MS = 20 * 60 * 1000;

/**
 * Names a process for good: its id and, on Linux, when it started, so that a new process with an old id is not taken for the old one.
 * @param {number} pid
 * @returns {string | undefined} undefined when no such process runs
 */
export function processIdentity(pid) {
  try {
    // proc_pid_stat(5): field 22 is the start time; field 2, in parentheses, may itself hold spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    try {
      process.kill(pid, 0);
      return `${pid} ?`;
    } catch (error) {
      return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM' ? `${pid} ?` : undefined;
    }
  }
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string} owner as processIdentity wrote it */
function isAlive(owner) {
  return processIdentity(Number.parseInt(owner, 10)) === owner;
}

/**
 * Removes a lock whose owner is dead. A short inner lock (a directory) keeps two waiters from removing the lock that one of them has just taken anew.
 * @param {string} path
 * @param {string} owner the dead owner that was read from the lock
 */
function breakLock(path, owner) {
  const inner = `${path}.break`;
  try {
    mkdirSync(inner);
  } catch {
    return;
  }
  try {
    if (readIfThere(path) === owner) rmSync(path, { force: true });
  } finally {
    rmdirSync(inner);
  }
}

/**
 * Runs `work` while no other process that uses the same directory does.
 * @param {string} directory made when it is not there; the lock is its file `lock`
 * @param {() => void | Promise<void>} work
 * @param {{ waitLimitMs?: number, onWait?: (owner: string) => void }} [options]
 */
export async function withLock(directory, work, options = {}) {
  const waitLimitMs = options.waitLimitMs ?? WAIT_LIMIT_MS;
  const onWait = options.onWait ?? ((owner) => process.stderr.write(`set-up: waiting for process ${owner.split(' ')[0]}, which is setting this checkout up\n`));
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'lock');
  const self = processIdentity(process.pid) ?? `${process.pid} ?`;
  const candidate = `${path}.${process.pid}`;
  writeFileSync(candidate, self);
  try {
    const started = performance.now();
    for (let told = false; ; ) {
      try {
        // link(2) fails when the name exists, and the name appears with its content in one step.
        linkSync(candidate, path);
        break;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const owner = readIfThere(path);
      if (owner === undefined) continue;
      if (!isAlive(owner)) {
        breakLock(path, owner);
      } else if (performance.now() - started > waitLimitMs) {
        throw new SetupError('E_SETUP_LOCK', `could not set up: process ${owner.split(' ')[0]} has held ${path} for too long`, 'End that process, then run this again');
      } else if (!told) {
        onWait(owner);
        told = true;
      }
      await sleep(POLL_MS);
    }
  } finally {
    rmSync(candidate, { force: true });
  }
  try {
    await work();
  } finally {
    rmSync(path, { force: true });
  }
}
