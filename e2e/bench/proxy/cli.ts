/** What the helper's proxy costs, beside other proxies, and what IB gains: `npm run bench:proxy`. docs/benchmarks.md says how. Ends with 1 when a target is missed. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { BenchError } from '../errors.ts';
import { machine } from '../machine.ts';
import { compileHelper } from './compiledHelper.ts';
import { measureCost } from './cost.ts';
import { parseOptions, USAGE, type ProxyBenchOptions } from './options.ts';
import { installPeers } from './peers.ts';
import { measureReader } from './reader.ts';
import { Results, RESULTS_VERSION } from './results.ts';
import { summarize } from './summary.ts';
import { markdownTable } from './table.ts';
import { judge } from './targets.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXIT_MISSED = 1;
const EXIT_OPTION = 2;
const run = promisify(execFile);

async function main(): Promise<number> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const options = parseOptions(process.argv.slice(2), join('out', `proxy-${stamp}`));
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const temporaryDir = await mkdtemp(join(tmpdir(), 'firstscreen-proxy-bench-'));
  // also when a signal ends it
  process.on('exit', () => rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 }));
  return bench(options, temporaryDir);
}

async function bench(options: ProxyBenchOptions, temporaryDir: string): Promise<number> {
  const startedAt = new Date().toISOString();
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const compiled = join(temporaryDir, 'helper');
  const places = { root: ROOT, temporaryDir, ours: { runner: await compileHelper(ROOT, compiled), root: compiled } };
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const needsPeers = options.parts.some((part) => part !== 'reader');
  const peers = needsPeers ? await installPeers() : null;
  const cost = peers === null ? { small: [], body: [], memory: [] } : await measureCost(options, places, peers, say);
  const reader = options.parts.includes('reader') ? await measureReader(options, places, ({ run: pair, way, receiveBufferBytes, totalMs }) => say(`reader ${pair}, ${way}, ${receiveBufferBytes}: ${Math.round(totalMs)} ms`)) : { reader: [], link: null };
  const results = v.parse(Results, {
    version: RESULTS_VERSION,
    startedAt,
    finishedAt: new Date().toISOString(),
    options,
    versions: { commit: await commit(), node: process.version, ...peers?.versions },
    machine: machine(),
    loadAverage: [loadBefore, loadavg()[0] ?? Number.NaN],
    ...cost,
    ...reader,
    congestion: (await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8')).trim(),
  });
  const summary = summarize(results, options.seed);
  const verdicts = judge(summary);
  const table = markdownTable(results, summary, verdicts);
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  await writeFile(join(options.out, 'table.md'), table);
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : table);
  return verdicts.some(({ verdict }) => verdict === 'missed') ? EXIT_MISSED : 0;
}

async function commit(): Promise<string> {
  try {
    return (await run('git', ['-C', ROOT, 'describe', '--always', '--dirty'])).stdout.trim();
  } catch {
    return 'unknown';
  }
}

// whatever is running has it from the `exit` of this process
for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]] as const) process.on(signal, () => process.exit(status));
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof FirstscreenError || error instanceof BenchError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n  next: ${error.next}\n`);
  process.exitCode = error.code === 'E_OPTION' ? EXIT_OPTION : EXIT_MISSED;
}
