import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BENCH_HELPER } from '../../browsers/executables.ts';
import { createRandom } from '../../pages/random.ts';
import { sweepPage, VIEWPORT } from '../../pages/sweeps/sweepPage.ts';
import { encodeWarc } from '../../pages/warcWriter.ts';
import { BenchError } from '../errors.ts';
import type { PageFile } from '../pages.ts';
import type { Load, Results } from '../results.ts';
import { supervise, type Supervision } from '../supervise.ts';
import { cappedHelper } from './cappedHelper.ts';
import { PART_OF_ANOTHER } from '../options.ts';
import type { FigureOptions } from './options.ts';
import type { DrawnPage, TestbedRun } from './plan.ts';
import type { FigureResults, TestbedResult } from './results.ts';

/** What one start of the test bed brought. */
export interface Measured {
  readonly testbed: TestbedResult;
  /** `page` is the condition, `run` the draw. */
  readonly loads: readonly Load[];
  readonly versions: FigureResults['versions'];
}

/** Draws the pages of a run of the test bed and measures them. What fails is told in the result; only a missing build rejects, as it would fail every other run too. */
export async function measure(run: TestbedRun, { seed, maxLateMs, out }: FigureOptions, supervision: Supervision): Promise<Measured> {
  const { name, profile, helperConnections, schemes } = run;
  const directory = join('testbeds', name);
  const about = { name, profile, helperConnections, schemes: schemes.map(({ label }) => label) };
  const pages = await drawPages(run.pages, seed, join(out, 'pages'));
  const helper = helperConnections === null ? {} : { helperMain: await writeCappedHelper(helperConnections, join(out, directory)) };
  const options = { ...PART_OF_ANOTHER, profile, schemes, runs: 1, viewport: VIEWPORT, seed, maxLateMs, out: join(out, directory) };
  try {
    const results = await supervise(options, pages, { ...supervision, ...helper });
    const error = results.error ?? results.pages.find((page) => page.error !== null)?.error ?? null;
    return { testbed: { ...about, ended: results.ended, error, link: results.link, congestion: results.congestion }, loads: loadsOf(results, run, directory), versions: results.versions };
  } catch (error) {
    if (!(error instanceof BenchError) || error.code === 'E_BUILD') throw error;
    const { code, message, next } = error;
    return { testbed: { ...about, ended: 'failed', error: { code, message, next }, link: null, congestion: null }, loads: [], versions: {} };
  }
}

/** Writes the pages; a draw depends on the seed and its number alone. */
async function drawPages(pages: readonly DrawnPage[], seed: number, directory: string): Promise<PageFile[]> {
  await mkdir(directory, { recursive: true });
  const files: PageFile[] = [];
  for (const { name, spec, run } of pages) {
    const path = join(directory, `${name}.warc.gz`);
    await writeFile(path, encodeWarc(await sweepPage(createRandom(seed).fork(`draw ${run}`), spec), `${name}, seed ${seed}`));
    files.push({ name, path });
  }
  return files;
}

async function writeCappedHelper(connections: number, directory: string): Promise<string> {
  const bundle = await readFile(BENCH_HELPER, 'utf8').catch((error: unknown) => {
    throw new BenchError('E_BUILD', `Giving the helper ${connections} connections per server: ${BENCH_HELPER} can not be read`, 'run it by npm (npm run bench:figures), which builds what is missing', { cause: error });
  });
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'firstscreen-helper.mjs');
  await writeFile(path, cappedHelper(bundle, connections));
  return path;
}

/** The loads by condition and draw, their pictures by where they are from the figures' own directory. */
function loadsOf({ loads }: Results, { pages }: TestbedRun, directory: string): Load[] {
  const drawn = new Map(pages.map((page) => [page.name, page]));
  return loads.map((load) => {
    const page = drawn.get(load.page);
    return { ...load, page: page?.condition ?? load.page, run: page?.run ?? load.run, frames: load.frames.map(({ atMs, file }) => ({ atMs, file: join(directory, file) })) };
  });
}
