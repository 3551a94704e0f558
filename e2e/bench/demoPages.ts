import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BenchError } from './errors.ts';

/** Makes the pages of our own when they are not there yet. */
export async function ensureDemoPages(root: string, directory: string): Promise<void> {
  const present = await readdir(directory).catch(() => []);
  if (present.some((name) => name.includes('.warc'))) return;
  const generator = join(root, 'e2e/pages/generate.ts');
  try {
    await promisify(execFile)(process.execPath, [generator, '--out', directory], { cwd: root });
  } catch (error) {
    throw new BenchError('E_PAGES', `Generating the demo pages in ${directory}: ${error instanceof Error ? error.message : String(error)}`, 'run npm start, which sets up what is missing', { cause: error });
  }
}
