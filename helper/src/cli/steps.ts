import { chmodSync, mkdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { modeOf, writeAtomically } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { StoreEditor } from '../trust/certutil.ts';
import type { InstalledFile } from './installedFiles.ts';
import { systemFault } from './systemFault.ts';

/** One change to the file system, or to a browser's certificate store. */
export interface Step {
  readonly action: 'makeDirectory' | 'write' | 'remove' | 'removeDirectoryIfEmpty' | (typeof STORE_ACTIONS)[number];
  /** Of a store: its directory. */
  readonly path: string;
  /** What is done, after "would" or "could not". */
  readonly description: string;
  apply(): void;
}

/** What a command is going to do, and what it says. Decided before anything is done, so that `--dry-run` says exactly what would be. */
export interface Plan<Report extends object = object> {
  /** None when all is done already. */
  readonly steps: readonly Step[];
  /** Everything that a person has to know before saying yes; absent for what needs no yes. */
  readonly meaning?: string;
  /** What is said when there are no steps, and when they are done. */
  readonly nothing: string;
  readonly done: string;
  /** What is said besides, in either case. */
  readonly notes?: readonly string[];
  /** Throws where what was done turns out to be of no use. */
  readonly verify?: () => void;
  /** For a program, with `--json`. */
  readonly report: Report;
}

const STORE_ACTIONS = ['makeStore', 'addToStore', 'removeFromStore', 'removeStoreIfEmpty'] as const;

export function makeDirectory(path: string, mode: number): Step {
  const apply = (): void => {
    mkdirSync(path, { recursive: true });
    // the mode of mkdir() is cut by the umask
    chmodSync(path, mode);
  };
  return { action: 'makeDirectory', path, description: `make directory ${path}`, apply };
}

type WrittenFile = Pick<InstalledFile, 'path' | 'content' | 'mode'>;

export function write({ path, content, mode }: WrittenFile): Step {
  return { action: 'write', path, description: `write ${path}`, apply: () => writeAtomically(path, content, mode) };
}

/** Whether a file is already so; one that can not be read is not, and says why when it is written. */
export function isWritten({ path, content, mode }: WrittenFile): boolean {
  try {
    // an executable has 100 MB: not to be copied for this
    return readFileSync(path).equals(typeof content === 'string' ? Buffer.from(content) : content) && modeOf(path) === mode;
  } catch {
    return false;
  }
}

export function writeUnlessSame(file: WrittenFile): Step[] {
  return isWritten(file) ? [] : [write(file)];
}

export function remove(path: string): Step {
  return { action: 'remove', path, description: `remove ${path}`, apply: () => rmSync(path, { force: true }) };
}

/** Those that are empty, innermost first: a path is longer than those of the directories around it. */
export function removeDirectories(directories: readonly string[]): Step[] {
  return directories
    .toSorted((a, b) => b.length - a.length)
    .map((path) => ({ action: 'removeDirectoryIfEmpty', path, description: `remove directory ${path} if it is empty`, apply: () => removeDirectoryIfEmpty(path) }));
}

/** @param certutil the program that edits stores @param path the store's directory */
export function makeStore(certutil: string, path: string): Step {
  return { action: 'makeStore', path, description: `make the certificate store ${path}`, apply: () => new StoreEditor(certutil, path).create() };
}

/** @param file the certificate, PEM */
export function addToStore(certutil: string, path: string, nickname: string, file: string): Step {
  const description = `add the certificate "${nickname}" to the store ${path}, trusted for servers`;
  return { action: 'addToStore', path, description, apply: () => new StoreEditor(certutil, path).add(nickname, file) };
}

export function removeFromStore(certutil: string, path: string): Step {
  const description = `remove the certificates of Firstscreen from the store ${path}`;
  return { action: 'removeFromStore', path, description, apply: () => new StoreEditor(certutil, path).removeOurs() };
}

export function removeStoreIfEmpty(certutil: string, path: string): Step {
  const description = `remove the certificate store ${path} if nothing is in it`;
  return { action: 'removeStoreIfEmpty', path, description, apply: () => new StoreEditor(certutil, path).removeIfEmpty() };
}

/**
 * A store that can not be changed does not keep the next ones from being changed; anything else stops here. What was done stays, and running the command again goes on from there.
 *
 * @throws FirstscreenError E_INSTALL at the first step that fails; E_TRUST_STORE, naming every store that could not be changed, before the first step after them that is not about a store
 */
export function applySteps(steps: readonly Step[]): void {
  const unchanged: FirstscreenError[] = [];
  for (const step of steps) {
    if (unchanged.length > 0 && STORE_ACTIONS.every((action) => action !== step.action)) break;
    try {
      step.apply();
    } catch (cause) {
      if (cause instanceof FirstscreenError) {
        unchanged.push(cause);
        continue;
      }
      const fault = systemFault(cause, step.description);
      if (fault === null) throw cause;
      throw fault;
    }
  }
  const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(' ');
  if (unchanged.length > 0) throw new FirstscreenError('E_TRUST_STORE', distinct(unchanged.map(({ message }) => message)), distinct(unchanged.map(({ next }) => next)));
}

function removeDirectoryIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(reasonOf(error))) throw error;
  }
}
