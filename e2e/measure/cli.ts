/** Whether "Measure this page" says what the benchmark says: `npm run check:measure`. docs/benchmarks.md says how they differ. */
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import * as v from 'valibot';
import { FirstscreenError } from '../../shared/src/errors.ts';
import { BINARIES, overLink } from '../bench/driver/overLink.ts';
import { BenchError } from '../bench/errors.ts';
import { linkOptions } from '../bench/linkOptions.ts';
import { findPages } from '../bench/pages.ts';
import { Results } from '../bench/results.ts';
import { agreementTable, agreements, type MeasuredPage } from './agreement.ts';
import { parseOptions, USAGE, type CheckOptions } from './options.ts';
import { WorkerOutput, type WorkerPlan } from './workerPlan.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CHROMIUM = process.env['FIRSTSCREEN_CHROMIUM'] ?? '/usr/bin/chromium';
const EXIT_ERROR = 1;
const EXIT_OPTION = 2;
/** Of a page, and for each of its loads. */
const PAGE_LIMIT_MS = 120_000;
const LOAD_LIMIT_MS = 120_000;
const LOADS_A_PAIR = 2;

async function main(): Promise<number> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const options = parseOptions(process.argv.slice(2), join('out', `measured-${stamp}.json`));
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const results = options.results === null ? null : await readResults(options.results);
  const measured = await measure(options);
  const compared = results === null ? measured : agreements(measured, results, options.scheme);
  await mkdir(dirname(resolve(options.out)), { recursive: true });
  await writeFile(options.out, JSON.stringify({ options, pages: compared }, null, 2));
  process.stdout.write(`${agreementTable(compared)}${options.out}\n`);
  return compared.every((page) => page.measured !== null && !('agrees' in page && page.agrees === false)) ? 0 : EXIT_ERROR;
}

async function readResults(path: string): Promise<Results> {
  try {
    return v.parse(Results, JSON.parse(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new BenchError('E_RESULTS', `${path} can not be read as results of a benchmark`, 'give --results the results.json of a run of npm run bench that has ended', { cause });
  }
}

async function measure({ pages, browser, profile, protocol, pairs, seed }: CheckOptions): Promise<MeasuredPage[]> {
  const files = await findPages(pages);
  const parts = { managedExtensionDir: join(ROOT, 'dist/extension/managed'), helperMain: join(ROOT, 'dist/bench/firstscreen-helper.mjs') };
  for (const part of Object.values(parts)) {
    await access(part).catch((cause: unknown) => {
      throw new BenchError('E_BUILD', `Starting the check: ${part} is missing`, 'run it by npm (npm run check:measure), which builds what is missing', { cause });
    });
  }
  const output = await overLink({
    options: linkOptions(profile),
    seed,
    commands: async (directory) => {
      const caDir = join(directory, 'ca');
      await mkdir(caDir);
      const hostingSocket = join(directory, 'hosting.sock');
      const plan: WorkerPlan = { pages: files.map(({ name, path }) => ({ name, path })), browser, protocol, pairs, limitMs: PAGE_LIMIT_MS + LOADS_A_PAIR * pairs * LOAD_LIMIT_MS, caDir, hostingSocket, directory, chromium: CHROMIUM, ...parts };
      const planFile = join(directory, 'plan.json');
      await writeFile(planFile, JSON.stringify(plan));
      return {
        near: [process.execPath, join(import.meta.dirname, 'worker.ts'), planFile],
        far: [join(BINARIES, 'firstscreen-hosting'), '--ca-dir', caDir, '--control', hostingSocket, '--protocol', protocol],
      };
    },
  });
  return v.parse(WorkerOutput, JSON.parse(output));
}

try {
  process.exitCode = await main();
} catch (error) {
  const isCoded = error instanceof FirstscreenError || error instanceof BenchError;
  process.stderr.write(isCoded ? `${error.code}: ${error.message}\n  next: ${error.next}\n` : `E_INTERNAL: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = isCoded && (error.code === 'E_OPTION' || error.code === 'E_PAGES') ? EXIT_OPTION : EXIT_ERROR;
}
