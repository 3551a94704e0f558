import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { BenchError } from './errors.ts';

/** A recorded page: its file, and the name it has in the results. */
export interface PageFile {
  readonly name: string;
  readonly path: string;
}

const WARC_NAME = /\.warc(\.gz)?$/;

/**
 * The WARC files named, and those below the directories named, each once, by name. Rejects with E_PAGES when there is
 * none, and for two of one name.
 */
export async function findPages(paths: readonly string[]): Promise<PageFile[]> {
  const files = new Set<string>();
  for (const path of paths) for (const file of await warcFiles(resolve(path))) files.add(file);
  if (files.size === 0) {
    throw new BenchError('E_PAGES', `Looking for recorded pages: no .warc or .warc.gz file in ${paths.join(', ')}`, 'name a WARC file or a directory of them with --pages');
  }
  const pages = [...files].map((path) => ({ path, name: basename(path).replace(WARC_NAME, '') })).toSorted((a, b) => a.name.localeCompare(b.name));
  const twice = pages.find(({ name }, place) => name === pages[place - 1]?.name);
  if (twice !== undefined) throw new BenchError('E_PAGES', `Looking for recorded pages: there are two files of ${twice.name}, and results know pages by their names`, 'name one of them, or rename it');
  return pages;
}

async function warcFiles(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const entries = await readdir(path, { recursive: true });
    return entries.filter((entry) => WARC_NAME.test(entry)).map((entry) => join(path, entry));
  } catch (error) {
    throw new BenchError('E_PAGES', `Looking for recorded pages in ${path}: ${error instanceof Error ? error.message : String(error)}`, 'check the path given with --pages', { cause: error });
  }
}
