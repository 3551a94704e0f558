import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whoever may do what with a path; the file type is left out. */
const PERMISSION_BITS = 0o777;

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
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether a regular file is there. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A path's permission bits; null when there is nothing. */
export function modeOf(path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : stats.mode & PERMISSION_BITS;
}

/** Writes a file so that a reader, or a crash at any moment, sees the old content or the new, never a part. */
export function writeAtomically(path: string, content: string | Buffer, mode: number): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(file, content);
      // the mode of open() is cut by the umask
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
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
}

/** The directories that must be made for this one to be there, outermost first. */
export function missingDirectories(directory: string): string[] {
  if (existsSync(directory)) return [];
  return [...missingDirectories(dirname(directory)), directory];
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
