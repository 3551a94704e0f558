/**
 * The reader's end of the link: side.ts PLAN, in the side's network namespace. For the way `spool` it starts the driver, with the reader's cgroup registered as an
 * administrator does it, and the helper as a browser starts it.
 */
import { execFile, spawn } from 'node:child_process';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../../shared/src/protocol/identity.ts';
import { HELPER } from '../../../browsers/executables.ts';
import { exitOnSignals, untilExit } from '../../commandLine.ts';
import { inCgroup, withCgroup } from '../cost/registeredGroup.ts';
import { RunningDriver } from '../runningDriver.ts';
import { SidePlan, type SideResult } from './plan.ts';

/** The server starts at the same time, across the link. */
const SERVER_START_MS = 500;

const DriverStatus = v.object({ counters: v.object({ programs: v.object({ redirected: v.number() }) }) });
const Transfer = v.object({ ms: v.number() });

exitOnSignals();
const plan = v.parse(SidePlan, JSON.parse(process.argv[2] ?? ''));
const result = plan.way === 'stock' ? { ms: await read(plan.reader), redirected: 0 } : await withCgroup(plan.cgroup, throughSpool);
process.stdout.write(`${JSON.stringify(result)}\n`);
// also the helper, which else would stay until its browser goes
process.exit(0);

async function throughSpool(cgroup: string): Promise<SideResult> {
  const driver = await RunningDriver.start([{ cgroup, policy: ['spool'] }]);
  try {
    await startHelper(driver.socket);
    const ms = await read(inCgroup(cgroup, plan.reader));
    return { ms, redirected: v.parse(DriverStatus, await driver.status()).counters.programs.redirected };
  } finally {
    await driver.stop();
  }
}

/** Its spool is open when this resolves. */
async function startHelper(socket: string): Promise<void> {
  const env = { ...process.env, FIRSTSCREEN_DRIVER_SOCKET: socket, XDG_STATE_HOME: plan.directory, XDG_CACHE_HOME: plan.directory };
  const helper = spawn(process.execPath, [HELPER, 'host', CHROMIUM_EXTENSION_ORIGIN], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  process.on('exit', () => helper.kill());
  const said: string[] = [];
  for await (const line of createInterface({ input: helper.stderr })) {
    said.push(line);
    if (line.includes('"code":"spool"')) return;
  }
  throw new Error(`the helper has opened no spool: ${said.join('\n')}`);
}

/** @returns milliseconds */
async function read([program = '', ...words]: readonly string[]): Promise<number> {
  await sleep(SERVER_START_MS);
  return v.parse(Transfer, JSON.parse((await promisify(execFile)(program, words, { signal: untilExit })).stdout)).ms;
}
