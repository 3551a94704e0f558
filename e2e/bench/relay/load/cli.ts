/** How many users a relay serves, what it adds to their pages' objects, and its memory for each: `npm run bench:relay`. docs/benchmarks.md says how. */
import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { outOf, ownDirectory, runMain } from '../../commandLine.ts';
import { commitOf, machine } from '../../machine.ts';
import { OPTIONS } from './options.ts';
import { Results, RESULTS_VERSION, tableOf, type Step } from './results.ts';
import { measureStep } from './step.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');

async function main(): Promise<number> {
  const startedAt = new Date().toISOString();
  const options = OPTIONS.parse(process.argv.slice(2), outOf('relay', startedAt));
  if (options === null) {
    process.stdout.write(OPTIONS.usage);
    return 0;
  }
  const places = { relayMain: join(ROOT, 'dist/relay-bench/firstscreen-relay.mjs'), temporaryDir: await ownDirectory('firstscreen-relay-load-') };
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const steps: Step[] = [];
  for (const users of options.users) {
    process.stderr.write(`${users} users\n`);
    steps.push(await measureStep(users, options, places));
  }
  const results = v.parse(Results, {
    version: RESULTS_VERSION, startedAt, finishedAt: new Date().toISOString(), options, versions: { commit: await commitOf(ROOT), node: process.version }, machine: machine(),
    loadAverage: [loadBefore, loadavg()[0] ?? Number.NaN], steps,
  });
  await mkdir(options.out, { recursive: true });
  const text = `${JSON.stringify(results, null, 2)}\n`;
  await writeFile(join(options.out, 'results.json'), text);
  await writeFile(join(options.out, 'table.md'), tableOf(results));
  process.stdout.write(options.json ? text : tableOf(results));
  return 0;
}

await runMain(main);
