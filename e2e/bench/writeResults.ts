import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { htmlReport } from '../report/html.ts';
import { markdownTable } from '../report/markdownTable.ts';
import { Results } from './results.ts';
import { writeWaterfalls } from './writeWaterfalls.ts';

/** Writes everything that a run leaves behind for its readers: results.json (checked against its schema), table.md, index.html, waterfalls/. */
export async function writeResults(outDir: string, results: Results): Promise<void> {
  await mkdir(outDir, { recursive: true });
  await writeFile(join(outDir, 'results.json'), `${JSON.stringify(v.parse(Results, results), null, 2)}\n`);
  await writeFile(join(outDir, 'table.md'), markdownTable(results));
  await writeFile(join(outDir, 'index.html'), htmlReport(results, (file) => dataUrl(join(outDir, file)), await writeWaterfalls(outDir, results)));
}

function dataUrl(file: string): string | null {
  try {
    return `data:image/jpeg;base64,${readFileSync(file).toString('base64')}`;
  } catch {
    return null; // A picture that is gone leaves a blank in the strip, not a report that can not be made.
  }
}
