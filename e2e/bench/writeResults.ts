import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Results } from './results.ts';

/** Writes everything that a run leaves behind for its readers. */
export async function writeResults(outDir: string, results: Results): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
}
