import { accessSync, chmodSync, closeSync, constants, existsSync, fsyncSync, openSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../../shared/src/node/isAlive.ts';
import { reasonOf } from '../../shared/src/node/reasonOf.ts';

/** Whoever may do what with a path; the file type is left out. */
const PERMISSION_BITS = 0o777;
export const WRITE_BITS_OF_OTHERS = 0o022;

/** A write takes milliseconds: what is older was left, whoever has its process's number now. */
const LONGEST_WRITE_MS = 60_000;

/** Of what is for the user alone: it holds a secret, or tells where somebody has been. */
export const PRIVATE_DIRECTORY_MODE = 0o700;
export const PRIVATE_FILE_MODE = 0o600;

/** Of everything that is installed and not run: it holds no secret, and a browser of another user may have to read it. */
export const FILE_MODE = 0o644;

/** A file's text; null when there is no such file. */
export function readIfPresent(path: string): string | null {
  return readBytesIfPresent(path)?.toString('utf8') ?? null;
}

/** A file's bytes; null when there is no such file. */
export function readBytesIfPresent(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(reasonOf(error))) return null;
    throw error;
  }
}

/** Names in a directory; none when there is none, or none that can be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** Another one for each content of a file; empty when there is none. */
export function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
}

/** Whether a regular file is there, as far as this user may look. */
export function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}

/** Whether a file is there that this user may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

/** A path's permission bits; null when there is nothing, or nothing that this user may look at. */
export function modeOf(path: string): number | null {
  const stats = statsOf(path);
  return stats === undefined ? null : stats.mode & PERMISSION_BITS;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // in a directory of somebody else
    return undefined;
  }
}

/** A value as our own files and those for browsers have it. */
export function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Writes a file so that a reader, or a crash at any moment, sees the old content or the new, never a part. What crashes
 * have left of earlier writes goes first: it holds what the file did.
 *
 * @param mayReplace asked at the last moment, when the new content is in this file; where it may not, all stays as it is
 * @returns whether it is written
 */
export function writeAtomically(path: string, content: string | Buffer, mode: number, mayReplace: (temporary: string) => boolean = () => true): boolean {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    for (const leftover of leftoversOf(path)) rmSync(leftover, { force: true });
    writeFileSync(temporary, content, { flag: 'wx', mode, flush: true });
    // the mode of open() is cut by the umask
    chmodSync(temporary, mode);
    if (!mayReplace(temporary)) {
      rmSync(temporary);
      return false;
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
  return true;
}

/** This file, where it is there, and what crashes have left of writes of it. */
export function tracesOf(path: string): string[] {
  return [...(existsSync(path) ? [path] : []), ...leftoversOf(path)];
}

/** Of writes of this file that a crash has ended. */
export function leftoversOf(path: string): string[] {
  return namesIn(dirname(path)).flatMap((name) => {
    const [, pid] = /^\.(\d+)\.tmp$/.exec(name.startsWith(basename(path)) ? name.slice(basename(path).length) : '') ?? [];
    const leftover = join(dirname(path), name);
    return pid !== undefined && isLeft(leftover, Number(pid)) ? [leftover] : [];
  });
}

/** Our own writes end before they return, so one with our number is an earlier process's. */
function isLeft(temporary: string, pid: number): boolean {
  return pid === process.pid || !isAlive(pid) || Date.now() - (statSync(temporary, { throwIfNoEntry: false })?.mtimeMs ?? 0) > LONGEST_WRITE_MS;
}

/** The directories that must be made for this one to be there, outermost first. */
export function missingDirectories(directory: string): string[] {
  if (existsSync(directory)) return [];
  return [...missingDirectories(dirname(directory)), directory];
}
