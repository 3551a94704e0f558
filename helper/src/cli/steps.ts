import { chmodSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { modeOf, readIfPresent, writeAtomically } from '../files.ts';

/** One change to the file system. Commands first decide all steps, so that `--dry-run` says exactly what would be done. */
export type Step =
  | { readonly action: 'makeDirectory'; readonly path: string; readonly mode: number }
  | { readonly action: 'write'; readonly path: string; readonly mode: number; readonly content: string }
  | { readonly action: 'remove'; readonly path: string }
  | { readonly action: 'removeDirectoryIfEmpty'; readonly path: string };

/** A write step, or nothing when the file is already so. */
export function writeUnlessSame(path: string, content: string, mode: number): Step[] {
  return readIfPresent(path) === content && modeOf(path) === mode ? [] : [{ action: 'write', path, content, mode }];
}

/** @throws FirstscreenError E_INSTALL at the first step that fails; what was done before stays, and running the command again goes on from there */
export function applySteps(steps: readonly Step[]): void {
  for (const step of steps) {
    try {
      apply(step);
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown reason';
      throw new FirstscreenError('E_INSTALL', `Could not ${describeStep(step)} (${reason}).`, 'Check who owns the directory and that the disk has room, then run the command again.', { cause });
    }
  }
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
