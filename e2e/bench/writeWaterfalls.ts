import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageRows, type PageRow, type PageSide } from '../report/pageRows.ts';
import type { WaterfallSource } from '../report/sections.ts';
import { waterfallPage, type WaterfallSide } from '../report/waterfall/waterfallPage.ts';
import { readArtifact } from './artifactFiles.ts';
import type { Results } from './results.ts';

/** Draws every page's requests with each scheme beside stock's, a file each; of a journey those of its first page. @returns where they are, as the report links them */
export async function writeWaterfalls(outDir: string, results: Results): Promise<WaterfallSource> {
  const places = new Map<string, string>();
  for (const scheme of new Set(results.comparisons.map((comparison) => comparison.scheme))) {
    // `#` would end a URL
    const directory = join('waterfalls', scheme.replace('#', '-'));
    for (const row of pageRows(results, scheme)) {
      const sides = [row.baseline, row.scheme].flatMap((side) => sideOf(outDir, row, side) ?? []);
      if (sides.length < 2) continue;
      const place = join(directory, `${row.page}.html`);
      await mkdir(join(outDir, directory), { recursive: true });
      await writeFile(join(outDir, place), waterfallPage(row.page, sides));
      places.set(`${scheme} ${row.page}`, place.split('/').map(encodeURIComponent).join('/'));
    }
  }
  return (scheme, page) => places.get(`${scheme} ${page}`) ?? null;
}

function sideOf(outDir: string, { page, typicalRun }: PageRow, { loads }: PageSide): WaterfallSide | null {
  const load = loads.find(({ run }) => run === typicalRun);
  if (load === undefined || load.isrtMs === null) return null;
  const artifact = readArtifact(outDir, { page, run: load.run, attempt: load.attempt, scheme: { label: load.scheme } });
  // a journey's number is a sum over its pages
  return artifact === null ? null : { label: load.scheme, isrtMs: load.steps[0]?.isrtMs ?? load.isrtMs, artifact };
}
