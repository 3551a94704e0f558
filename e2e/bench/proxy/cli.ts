/** What the helper's proxy costs, beside other proxies, and what IB gains: `npm run bench:proxy`. docs/benchmarks.md says how. Ends with 1 when a target is missed. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { outOf, ownDirectory, runMain } from '../commandLine.ts';
import { commitOf, machine } from '../machine.ts';
import { measureCost } from './cost.ts';
import { OPTIONS, type ProxyBenchOptions } from './options.ts';
import { installPeers } from './peers.ts';
import { measureReader } from './reader.ts';
import { Results, RESULTS_VERSION } from './results.ts';
import { summarize } from './summary.ts';
import { markdownTable } from './table.ts';
import { judge } from './targets.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const EXIT_MISSED = 1;

async function main(): Promise<number> {
  const options = OPTIONS.parse(process.argv.slice(2), outOf('proxy'));
  if (options === null) {
    process.stdout.write(OPTIONS.usage);
    return 0;
  }
  return bench(options, await ownDirectory('firstscreen-proxy-bench-'));
}

async function bench(options: ProxyBenchOptions, temporaryDir: string): Promise<number> {
  const startedAt = new Date().toISOString();
  const loadBefore = loadavg()[0] ?? Number.NaN;
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const needsPeers = options.parts.some((part) => part !== 'reader');
  const peers = needsPeers ? await installPeers() : null;
  const cost = peers === null ? { small: [], body: [], memory: [] } : await measureCost(options, temporaryDir, peers, say);
  const reader = options.parts.includes('reader') ? await measureReader(options, ROOT, temporaryDir, ({ run: pair, way, receiveBufferBytes, totalMs }) => say(`reader ${pair}, ${way}, ${receiveBufferBytes}: ${Math.round(totalMs)} ms`)) : { reader: [], link: null };
  const results = v.parse(Results, {
    version: RESULTS_VERSION,
    startedAt,
    finishedAt: new Date().toISOString(),
    options,
    versions: { commit: await commitOf(ROOT), node: process.version, ...peers?.versions },
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

await runMain(main);
