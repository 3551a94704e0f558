import { MemoryStore, memoryPath } from '../memory/memoryStore.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';

/** Erases what was learnt of pages. @returns what was done. @throws FirstscreenError E_MEMORY when the file can not be changed */
export function forget({ site, dryRun }: Pick<Options, 'site' | 'dryRun'>, machine: Machine): string {
  const what = `what was learnt of ${site ?? 'all pages'}`;
  if (dryRun) return `Would forget ${what}.`;
  const pages = new MemoryStore(memoryPath(machine)).forget(site);
  return `Forgotten: ${what} (pages: ${pages}).`;
}
