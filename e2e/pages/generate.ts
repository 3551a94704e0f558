/**
 * Writes the demo pages as WARC files: `node e2e/pages/generate.ts --out DIR [--sites DIR]`.
 * They are of our own making, so they may be shown in screenshots and shipped with results; the same seed gives the same pages.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { essayPage } from './designs/essay.ts';
import { galleryPage } from './designs/gallery.ts';
import { newsPage } from './designs/news.ts';
import { newspaperSite } from './designs/newspaper.ts';
import { shopPage } from './designs/shop.ts';
import { createRandom, type Random } from './random.ts';
import { encodeWarc, type RecordedObject } from './warcWriter.ts';

const SEED = 1;
const EXIT_REFUSED = 2;

/** Lengths are in screens of 768 px at a width of 1366 px. */
const PAGES: Readonly<Record<string, (random: Random) => Promise<RecordedObject[]>>> = {
  /** About one screen. */
  'news-short': (random) => newsPage(random, 0),
  /** About five. */
  'news-medium': (random) => newsPage(random, 3),
  'gallery-medium': (random) => galleryPage(random, 30),
  'shop-medium': (random) => shopPage(random, 32),
  /** About fifteen. */
  'news-long': (random) => newsPage(random, 11),
};

/** Apart from the demonstration: sites of several pages, for journeys, entered by their front pages; and pages for one question. */
const SITES: typeof PAGES = {
  /** Whether one large picture in view is there as if larger ones were not. */
  essay: (random) => essayPage(random, 4),
  /** A front page of about two screens, and six articles. */
  newspaper: (random) => newspaperSite(random, 6),
};

/** Makes the file of a page or of a site. */
export async function generatePage(name: string, seed: number): Promise<Uint8Array> {
  const page = PAGES[name] ?? SITES[name];
  if (page === undefined) throw new RangeError(`there is no page ${name}`);
  return encodeWarc(await page(createRandom(seed).fork(name)), `demo page ${name}, seed ${seed}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string' }, sites: { type: 'string' } } });
  if (values.out === undefined) throw new RangeError('--out is missing');
  await write(values.out, Object.keys(PAGES));
  if (values.sites !== undefined) await write(values.sites, Object.keys(SITES));
}

async function write(directory: string, names: readonly string[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const name of names) {
    const path = join(directory, `${name}.warc.gz`);
    // Renamed when complete: a benchmark that runs meanwhile sees the old file or the new one.
    await writeFile(`${path}.part`, await generatePage(name, SEED));
    await rename(`${path}.part`, path);
  }
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    const message = `cannot generate the demo pages: ${error instanceof Error ? error.message : String(error)}`;
    process.stderr.write(`${JSON.stringify({ code: 'E_PAGES', message, next: 'use generate.ts --out DIR [--sites DIR]' })}\n`);
    process.exitCode = EXIT_REFUSED;
  }
}
