/** Whether "Measure this page" says what the benchmark says: `npm run check:measure`. docs/benchmarks.md says how they differ. */
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { besideHosting } from '../bench/besideHosting.ts';
import { exitOnSignals, runWithOptions } from '../bench/commandLine.ts';
import { BenchError } from '../bench/errors.ts';
import { findPages } from '../bench/pages.ts';
import { Results } from '../bench/results.ts';
import { BENCH_HELPER, EXTENSIONS } from '../browsers/executables.ts';
import { agreementTable, agreements, type MeasuredPage } from './agreement.ts';
import { parseOptions, USAGE, type CheckOptions } from './options.ts';
import { WorkerOutput, type WorkerPlan } from './workerPlan.ts';

const EXIT_ERROR = 1;
/** Of a page, and for each of its loads. */
const PAGE_LIMIT_MS = 120_000;
const LOAD_LIMIT_MS = 120_000;
const LOADS_A_PAIR = 2;

async function check(options: CheckOptions): Promise<number> {
  exitOnSignals();
  const results = options.results === null ? null : await readResults(options.results);
  const measured = await measure(options);
  const compared = results === null ? measured : agreements(measured, results, options.scheme);
  await mkdir(options.out, { recursive: true });
  const file = join(options.out, 'results.json');
  await writeFile(file, JSON.stringify({ options, pages: compared }, null, 2));
  process.stdout.write(`${agreementTable(compared)}${file}\n`);
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
  for (const part of [join(EXTENSIONS, 'managed'), BENCH_HELPER]) {
    await access(part).catch((cause: unknown) => {
      throw new BenchError('E_BUILD', `Starting the check: ${part} is missing`, 'run it by npm (npm run check:measure), which builds what is missing', { cause });
    });
  }
  const output = await besideHosting({
    profile, seed,
    main: join(import.meta.dirname, 'worker.ts'),
    plan: (place): WorkerPlan => ({ ...place, pages: files.map(({ name, path }) => ({ name, path })), browser, protocol, pairs, limitMs: PAGE_LIMIT_MS + LOADS_A_PAIR * pairs * LOAD_LIMIT_MS }),
  });
  return v.parse(WorkerOutput, JSON.parse(output));
}

await runWithOptions('check-measure', USAGE, parseOptions, check);
