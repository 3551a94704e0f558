/**
 * Measures the driver's cost: side.ts PLAN, in network, process and mount namespaces of its own. It prints a run a line. The switch for the programs' times is the
 * machine's, and costs something itself, so it is on only for them.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { seededRandom, shuffled } from '../../../../shared/src/statistics/random.ts';
import { TRANSFERS } from '../../../browsers/executables.ts';
import { exitOnSignals } from '../../commandLine.ts';
import { total } from '../comparison.ts';
import { RunningDriver } from '../runningDriver.ts';
import { Flow, REGISTERED_PORT } from '../transfers/plan.ts';
import { BULK, CostPlan, TRAFFIC, type BulkRun, type ProgramRun } from './plan.ts';
import { busyAfterWarmUp } from './processorTime.ts';
import { programTime } from './programTimes.ts';
import { inCgroup, withCgroup } from './registeredGroup.ts';
import { FAR_ADDRESS, wire } from './wire.ts';

const POLICY = ['rar'];
const FLOWS: Readonly<Record<(typeof TRAFFIC)[number], string>> = { 'bulk up': '1xup', 'bulk down': '1xdown', requests: '10xrequests' };
const SWITCH = '/proc/sys/kernel/bpf_stats_enabled';
/** Until TCP has found the rate. */
const WARM_UP_SECONDS = 1;
const MS_PER_SECOND = 1_000;

exitOnSignals();
const plan = v.parse(CostPlan, JSON.parse(process.argv[2] ?? ''));
const random = seededRandom(plan.seed);

await wire(plan.mbitPerSecond, [TRANSFERS, 'serve', '--port', String(REGISTERED_PORT), '--congestion', plan.congestion]);
await withCgroup(plan.cgroup, async (cgroup) => {
  for (let round = 0; round < plan.rounds; round += 1) {
    for (const bulk of BULK) {
      for (const hasDriver of shuffled([false, true], random)) print(await bulkRun(cgroup, bulk, hasDriver, round));
    }
    for (const run of await programRuns(cgroup, round)) print(run);
  }
});
process.exit(0);

function print(run: BulkRun | ProgramRun): void {
  process.stdout.write(`${JSON.stringify(run)}\n`);
}

async function bulkRun(cgroup: string, bulk: (typeof BULK)[number], hasDriver: boolean, round: number): Promise<BulkRun> {
  const driver = hasDriver ? await startDriver(cgroup) : null;
  try {
    const { result: flows, processorSeconds } = await busyAfterWarmUp(flowsOf(bulk, cgroup), WARM_UP_SECONDS * MS_PER_SECOND, () => readFile('/proc/stat', 'utf8'));
    return { round, bulk, hasDriver, bytes: total(flows.map(({ upBytes, downBytes }) => upBytes + downBytes)), seconds: plan.seconds, processorSeconds };
  } finally {
    await driver?.stop();
  }
}

async function programRuns(cgroup: string, round: number): Promise<ProgramRun[]> {
  const driver = await startDriver(cgroup);
  const before = await readFile(SWITCH, 'utf8');
  const putBack = (): void => writeFileSync(SWITCH, before);
  const runs: ProgramRun[] = [];
  process.on('exit', putBack);
  writeFileSync(SWITCH, '1');
  try {
    for (const traffic of TRAFFIC) {
      for (const isRegistered of shuffled([false, true], random)) {
        const from = programTime(await descriptors(driver.pid));
        await flowsOf(traffic, isRegistered ? cgroup : null);
        const to = programTime(await descriptors(driver.pid));
        runs.push({ round, traffic, isRegistered, packets: to.packets - from.packets, ns: to.ns - from.ns });
      }
    }
  } finally {
    process.off('exit', putBack);
    putBack();
    await driver.stop();
  }
  return runs;
}

function startDriver(cgroup: string): Promise<RunningDriver> {
  return RunningDriver.start([{ cgroup, policy: POLICY }]);
}

/** @param cgroup where the client runs; null: where this process does, so that it is not registered */
async function flowsOf(traffic: (typeof TRAFFIC)[number], cgroup: string | null): Promise<Flow[]> {
  const flow = `${FLOWS[traffic]}:${REGISTERED_PORT}`;
  const client = [TRANSFERS, 'measure', '--host', FAR_ADDRESS, '--flow', flow, '--congestion', plan.congestion, '--seconds', String(plan.seconds), '--warm-up', String(WARM_UP_SECONDS)];
  const [program = '', ...words] = cgroup === null ? client : inCgroup(cgroup, client);
  const { stdout } = await promisify(execFile)(program, words);
  return stdout.trim().split('\n').map((line) => v.parse(Flow, JSON.parse(line)));
}

/** What the kernel says of a process's open files; one that is closed meanwhile says nothing. */
async function descriptors(pid: number): Promise<string[]> {
  const directory = `/proc/${pid}/fdinfo`;
  return Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8').catch(() => '')));
}
