import { chmodSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { modeOf, readBytesIfPresent, writeAtomically } from '../files.ts';
import { StoreEditor } from '../trust/certutil.ts';

/** One change to the file system, or to a browser's certificate store. Commands first decide all steps, so that `--dry-run` says exactly what would be done. */
export type Step =
  | { readonly action: 'makeDirectory'; readonly path: string; readonly mode: number }
  | { readonly action: 'write'; readonly path: string; readonly mode: number; readonly content: string | Buffer }
  | { readonly action: 'remove'; readonly path: string }
  | { readonly action: 'removeDirectoryIfEmpty'; readonly path: string }
  | StoreStep;

/** `path` is the store's directory, `certutil` the program that edits it. */
type StoreStep = { readonly path: string; readonly certutil: string } & (
  | { readonly action: 'makeStore' | 'removeFromStore' | 'removeStoreIfEmpty' }
  | { readonly action: 'addToStore'; readonly nickname: string; readonly certificate: string }
);

/** A write step, or nothing when the file is already so. */
export function writeUnlessSame(path: string, content: string | Buffer, mode: number): Step[] {
  return readBytesIfPresent(path)?.equals(Buffer.from(content)) === true && modeOf(path) === mode ? [] : [{ action: 'write', path, content, mode }];
}

/** Innermost first: a path is longer than those of the directories around it. */
export function removeDirectories(directories: readonly string[]): Step[] {
  return directories.toSorted((a, b) => b.length - a.length).map((path) => ({ action: 'removeDirectoryIfEmpty', path }));
}

/**
 * A store that can not be changed does not keep the next ones from being changed; anything else stops here. What was done stays, and running the command again goes on from there.
 *
 * @throws FirstscreenError E_INSTALL at the first step that fails; E_TRUST_STORE, naming every store that could not be changed, before the first step after them that is not about a store
 */
export function applySteps(steps: readonly Step[]): void {
  const unchanged: FirstscreenError[] = [];
  for (const step of steps) {
    if (unchanged.length > 0 && !isStoreStep(step)) break;
    try {
      apply(step);
    } catch (cause) {
      if (cause instanceof FirstscreenError) {
        unchanged.push(cause);
        continue;
      }
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
      throw new FirstscreenError('E_INSTALL', `Could not ${describeStep(step)} (${reason}).`, 'Check who owns the directory and that the disk has room, then run the command again.', { cause });
    }
  }
  const distinct = (texts: readonly string[]): string => [...new Set(texts)].join(' ');
  if (unchanged.length > 0) throw new FirstscreenError('E_TRUST_STORE', distinct(unchanged.map(({ message }) => message)), distinct(unchanged.map(({ next }) => next)));
}

function isStoreStep(step: Step): step is StoreStep {
  return 'certutil' in step;
}

export function describeStep(step: Step): string {
  switch (step.action) {
    case 'makeDirectory':
      return `make directory ${step.path}`;
    case 'write':
      return `write ${step.path}`;
    case 'remove':
      return `remove ${step.path}`;
    case 'removeDirectoryIfEmpty':
      return `remove directory ${step.path} if it is empty`;
    case 'makeStore':
      return `make the certificate store ${step.path}`;
    case 'addToStore':
      return `add the certificate "${step.nickname}" to the store ${step.path}, trusted for servers`;
    case 'removeFromStore':
      return `remove the certificates of Firstscreen from the store ${step.path}`;
    case 'removeStoreIfEmpty':
      return `remove the certificate store ${step.path} if nothing is in it`;
  }
}

function apply(step: Step): void {
  switch (step.action) {
    case 'makeDirectory':
      mkdirSync(step.path, { recursive: true });
      // the mode of mkdir() is cut by the umask
      chmodSync(step.path, step.mode);
      return;
    case 'write':
      writeAtomically(step.path, step.content, step.mode);
      return;
    case 'remove':
      rmSync(step.path, { force: true });
      return;
    case 'removeDirectoryIfEmpty':
      removeDirectoryIfEmpty(step.path);
      return;
    case 'makeStore':
      new StoreEditor(step.certutil, step.path).create();
      return;
    case 'addToStore':
      new StoreEditor(step.certutil, step.path).add(step.nickname, step.certificate);
      return;
    case 'removeFromStore':
      new StoreEditor(step.certutil, step.path).removeOurs();
      return;
    case 'removeStoreIfEmpty':
      new StoreEditor(step.certutil, step.path).removeIfEmpty();
  }
}

function removeDirectoryIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}
