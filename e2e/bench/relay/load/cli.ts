/** How many users a relay serves, what it adds to their pages' objects, and its memory for each: `npm run bench:relay`. docs/benchmarks.md says how. */
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import { BenchError } from '../../errors.ts';
import { machine } from '../../machine.ts';
import { parseOptions, USAGE } from './options.ts';
import { Results, RESULTS_VERSION, tableOf, type Step } from './results.ts';
import { measureStep } from './step.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const EXIT_FAILED = 1;
const EXIT_OPTION = 2;

async function main(): Promise<void> {
  const startedAt = new Date().toISOString();
  const options = parseOptions(process.argv.slice(2), join('out', `relay-load-${startedAt.slice(0, 19).replaceAll(':', '-')}`));
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const temporaryDir = await mkdtemp(join(tmpdir(), 'firstscreen-relay-load-'));
  // also when a signal ends it
  process.on('exit', () => rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 }));
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const places = { relayMain: join(ROOT, 'dist/relay-bench/firstscreen-relay.mjs'), temporaryDir };
  const steps: Step[] = [];
  for (const users of options.users) {
    process.stderr.write(`${users} users\n`);
    steps.push(await measureStep(users, options, places));
  }
  const { help: _, ...asked } = options;
  const results = v.parse(Results, {
    version: RESULTS_VERSION, startedAt, finishedAt: new Date().toISOString(), options: asked, versions: { commit: await commit(), node: process.version }, machine: machine(),
    loadAverage: [loadBefore, loadavg()[0] ?? Number.NaN], steps,
  });
  await mkdir(options.out, { recursive: true });
  const text = `${JSON.stringify(results, null, 2)}\n`;
  await writeFile(join(options.out, 'results.json'), text);
  await writeFile(join(options.out, 'table.md'), tableOf(results));
  process.stdout.write(options.json ? text : tableOf(results));
}

async function commit(): Promise<string> {
  try {
    return (await promisify(execFile)('git', ['-C', ROOT, 'describe', '--always', '--dirty'])).stdout.trim();
  } catch {
    return 'unknown';
  }
}

// whatever is running has it from the `exit` of this process
for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]] as const) process.on(signal, () => process.exit(status));
try {
  await main();
} catch (error) {
  if (!(error instanceof FirstscreenError || error instanceof BenchError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n  next: ${error.next}\n`);
  process.exitCode = error.code === 'E_OPTION' ? EXIT_OPTION : EXIT_FAILED;
}
