import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { BenchError } from '../../errors.ts';
import { subjectOf, type Measured } from '../subject.ts';
import { OPTIONS, type CostOptions } from './options.ts';
import { CostRun, type BulkRun, type CostPlan, type ProgramRun } from './plan.ts';
import { markdownTable, summarizeBulk, summarizePrograms } from './summary.ts';

/** What the driver costs: time for each packet, and throughput. */
export const cost = subjectOf(OPTIONS, measure);

/** What the measuring process ends with, all of its namespaces end with. It is asked to end, as it has a switch of the machine to put back. */
const NAMESPACES = ['--net', '--pid', '--fork', '--kill-child=SIGTERM', '--mount-proc', '--'];

async function measure(options: CostOptions): Promise<Measured> {
  const { mbitPerSecond, congestion, seconds, rounds, seed } = options;
  const { programs, bulk } = await run({ mbitPerSecond, congestion, seconds, rounds, seed, cgroup: `firstscreen-bench-${process.pid}` });
  const head = [
    `veth pair, ${mbitPerSecond === 0 ? 'no limit' : `${mbitPerSecond} Mbit/s each way`}, TCP ${congestion}, seed ${seed}`,
    `${seconds} s each, ${rounds} rounds. Registered: the client's cgroup, for rar. A packet is what a program sees: at egress and on this wire up to 64 kB.`,
  ];
  return { results: { options, programs, bulk }, rounds, table: markdownTable(summarizePrograms(programs, seed), summarizeBulk(bulk, seed), head) };
}

/** @throws BenchError E_COST */
async function run(plan: CostPlan): Promise<{ programs: ProgramRun[]; bulk: BulkRun[] }> {
  const child = spawn('unshare', [...NAMESPACES, process.execPath, join(import.meta.dirname, 'side.ts'), JSON.stringify(plan)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const programs: ProgramRun[] = [];
  const bulk: BulkRun[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const one = v.parse(CostRun, JSON.parse(line));
    if ('ns' in one) programs.push(one);
    else bulk.push(one);
    process.stderr.write(`[round ${one.round + 1}/${plan.rounds}] ${'ns' in one ? one.traffic : one.bulk}\n`);
  }
  const [status] = await ended.catch(() => [null]);
  if (status !== 0) throw new BenchError('E_COST', 'The measuring process did not end well; what it said is above', 'run it as root, by npm; it needs unshare, nsenter, ip and tc (util-linux, iproute2)');
  return { programs, bulk };
}
