import { FirstscreenError } from '../../../shared/src/errors.ts';
import { reasonOf } from '../files.ts';
import { MemoryStore, memoryPath } from '../memory/memoryStore.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';

/** Erases what was learnt of pages. @returns what was done. @throws FirstscreenError E_MEMORY when the file can not be changed */
export function forget({ site, dryRun }: Pick<Options, 'site' | 'dryRun'>, machine: Machine): string {
  const what = `what was learnt of ${site ?? 'all pages'}`;
  if (dryRun) return `Would forget ${what}.`;
  const path = memoryPath(machine);
  try {
    new MemoryStore(path).forget(site);
  } catch (cause) {
    throw new FirstscreenError('E_MEMORY', `Could not erase ${what} in ${path} (${reasonOf(cause)}).`, 'Check who owns the file and its directory, or remove it by hand.', { cause });
  }
  return `Forgotten: ${what}.`;
}
