/** What the driver gains where packets are lost: `npm run bench:driver`, as root. docs/benchmarks.md says how. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { seededRandom, shuffled } from '../../analysis/random.ts';
import { BenchError } from '../errors.ts';
import { machine } from '../machine.ts';
import { congestionControl, runBatch, type Batch, type BatchPlan } from './batch.ts';
import { parseOptions, USAGE, type DriverBenchOptions } from './options.ts';
import { markdownTable, summarize } from './summary.ts';

const BINARIES = resolve(import.meta.dirname, '../../../build/bin');
const EXIT_FAILED = 1;
const EXIT_OPTION = 2;

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2), join('out', `driver-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`));
  if (options.help) return void process.stdout.write(USAGE);
  const batches = await runAll(options);
  const { cpu, cores, kernel } = machine();
  const head = [
    `${new Date().toISOString().slice(0, 10)}, ${cpu}, ${cores} cores, Linux ${kernel}, TCP ${await congestionControl()}; link ${[options.profile, ...options.link].join(' ')}, seed ${options.seed}`,
    `Fresh exchanges, ${options.batch} on one start of the link, ${options.parallel} links at once; ratios against a stock client [95 % interval, bootstrap over rounds].`,
  ];
  const table = markdownTable(summarize(batches, options), head);
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'results.json'), `${JSON.stringify({ options, batches }, null, 1)}\n`);
  await writeFile(join(options.out, 'table.md'), table);
  process.stdout.write(table);
}

/** What is compared takes turns, so that the machine's moods meet all alike. */
async function runAll(options: DriverBenchOptions): Promise<Batch[]> {
  const random = seededRandom(options.seed);
  const plans: BatchPlan[] = [];
  for (let round = 0; round * options.batch < options.count; round += 1) {
    for (const kind of options.kinds) plans.push(...shuffled(options.ends, random).map((ends) => ({ kind, ends, round })));
  }
  const batches: Batch[] = [];
  const left = plans.values();
  const worker = async (): Promise<void> => {
    for (const plan of left) {
      batches.push(await runBatch(plan, options, BINARIES));
      process.stderr.write(`[${batches.length}/${plans.length}] ${plan.kind}, driver at ${plan.ends}\n`);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, worker));
  return batches;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof FirstscreenError || error instanceof BenchError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n  next: ${error.next}\n`);
  process.exitCode = error.code === 'E_OPTION' ? EXIT_OPTION : EXIT_FAILED;
}
