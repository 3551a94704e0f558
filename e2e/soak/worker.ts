/** The process of the soak, in namespaces of its own: reports each load over IPC. Started by soak.ts with the number of loads and the seed. */

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BINARIES } from '../bench/driver/overLink.ts';
import type { BedBrowser } from '../hostile/bedBrowser.ts';
import { helperDirOf, Machine } from '../hostile/machine.ts';
import type { BrowserName } from '../hostile/mode.ts';
import type { CaseLog } from '../hostile/servers.ts';
import { carries } from '../hostile/settings.ts';
import type { Failure } from '../hostile/tab.ts';
import { type Asked, type Observed, violationsOf } from './compare.ts';
import { excusesOf, type Faulty } from './excuses.ts';
import { FaultMaker } from './faultMaker.ts';
import { leftOvers } from './leftOvers.ts';
import { planTurns, type PlannedLoad, type Turn } from './plan.ts';
import { SITE } from './site.ts';
import type { Load } from './soak.ts';

/** Visited in turn: later visits meet what is remembered of earlier ones. */
const SITES = 4;
/** Only a load that loses something runs into it. */
const LOAD_LIMIT_MS = 40_000;
const DRIVER = path.join(BINARIES, 'firstscreen-driverd');
/** What Node prints last, or the helper, when it ends by an exception (helper/src/start.ts). */
const CRASHED = /^Node\.js v\d+|died of a defect/m;

const [loads = 0, seed = 0] = process.argv.slice(2).map(Number);
const machine = await Machine.make('soak');
const hasDriver = process.getuid?.() === 0 && existsSync(DRIVER);
const baselines = new Map<BrowserName, Observed>();

const CALM = { number: 0, fault: 'none', moment: 'before' } as const satisfies PlannedLoad;

interface Visited {
  readonly page: unknown;
  readonly failures: readonly Failure[];
  readonly log: CaseLog;
  readonly violations: string[];
}

try {
  for (const [index, turn] of planTurns(loads, seed, hasDriver).entries()) await run(turn, path.join(machine.dir, `turn-${index}`));
} finally {
  machine.close();
}
process.disconnect();
process.exit();

async function run({ browser: name, mode, loads: planned }: Turn, runDir: string): Promise<void> {
  const stock = baselines.get(name) ?? (await observeStock(name));
  baselines.set(name, stock);
  const faults = new FaultMaker({ mode, dir: runDir, driver: hasDriver && carries(mode) ? DRIVER : null });
  await faults.begin();
  const visits: [PlannedLoad, Visited][] = [];
  const browser = await machine.startBrowser(name, mode, runDir, { tellsFailures: true });
  const atEnd: string[] = [];
  try {
    await faults.recover('none', browser);
    for (const load of planned) {
      const visited = await visit(browser, load, () => faults.make(load.fault, browser));
      await faults.recover(load.fault, browser).catch((error: unknown) => visited.violations.push(`it did not recover: ${String(error)}`));
      visits.push([load, visited]);
    }
    atEnd.push(...browser.crashes);
  } finally {
    await browser.close();
    await faults.end();
  }
  const log = path.join(helperDirOf(runDir), 'log');
  if (existsSync(log) && CRASHED.test(readFileSync(log, 'utf8'))) atEnd.push(`the helper crashed: ${readFileSync(log, 'utf8').slice(-2_000)}`);
  atEnd.push(...(await leftOvers(runDir)).map((command) => `left over: ${command}`));
  // only now: a request that came late counts
  let before: Faulty = CALM;
  for (const [load, { page, failures, log: asked, violations }] of visits) {
    const differences = violationsOf(stock, { page, requests: requestsOf(asked) }, excusesOf(failures, before, load));
    report({ ...load, browser: name, mode, violations: [...violations, ...differences] });
    before = load;
  }
  report({ number: planned.at(-1)?.number ?? 0, browser: name, mode, fault: 'end', moment: null, violations: atEnd });
}

async function observeStock(name: BrowserName): Promise<Observed> {
  const browser = await machine.startBrowser(name, 'stock', path.join(machine.dir, `stock-${name}`), { tellsFailures: true });
  try {
    const { page, failures, log } = await visit(browser, CALM, () => Promise.resolve());
    if (failures.length > 0) throw new Error(`a stock ${name} has lost something: ${JSON.stringify(failures)}`);
    return { page, requests: requestsOf(log) };
  } finally {
    await browser.close();
  }
}

async function visit(browser: BedBrowser, { number, moment }: PlannedLoad, makeFault: () => Promise<void>): Promise<Visited> {
  const label = `site${number % SITES}`;
  const log = machine.servers.begin(label, SITE);
  const violations: string[] = [];
  const make = (): Promise<void> => makeFault().catch((error: unknown) => void violations.push(`the fault was not made: ${String(error)}`));
  const tab = await browser.newTab();
  const load = async (): Promise<unknown> => {
    if (moment === 'before') await make();
    if (moment === 'during') log.hold('/near.png');
    const opened = await tab.open(`https://${label}.own.test/`);
    if (opened !== 'ok') return opened;
    if (moment !== 'before') await log.asked(moment === 'during' ? '/near.png' : '/far0.png');
    if (moment !== 'before') await make();
    log.letGo();
    return tab.finished();
  };
  const limit = new AbortController();
  const late = sleep(LOAD_LIMIT_MS, `the load did not end in ${LOAD_LIMIT_MS} ms`, { signal: limit.signal }).catch(() => undefined);
  try {
    return { page: await Promise.race([late, load().catch((error: unknown) => `the load failed: ${String(error)}`)]), failures: tab.failures, log, violations };
  } finally {
    limit.abort();
    log.letGo();
    await tab.close().catch(() => undefined);
  }
}

function requestsOf(log: CaseLog): Asked[] {
  return log.exchanges.map(({ method, scheme, kind, path: to }) => ({ how: `${method} ${scheme}`, object: `${kind}${to}` }));
}

function report(load: Load): void {
  process.send?.(load);
}
