/** The process of the soak, in namespaces of its own: reports each load over IPC. Started by soak.ts with the number of loads, the seed; takes turns until there is none left. */

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DRIVER } from '../browsers/executables.ts';
import { within } from '../browsers/within.ts';
import type { BedBrowser } from '../hostile/bedBrowser.ts';
import { helperDirOf, Machine } from '../hostile/machine.ts';
import type { BrowserName } from '../hostile/mode.ts';
import type { CaseLog } from '../hostile/servers.ts';
import { carries } from '../hostile/settings.ts';
import type { Failure } from '../hostile/tab.ts';
import { type Asked, failedOf, type Observed, violationsOf } from './compare.ts';
import { excusesOf, type Faulty } from './excuses.ts';
import { FaultMaker } from './faultMaker.ts';
import { endLeftOvers } from './leftOvers.ts';
import { planTurns, type PlannedLoad, type Turn } from './plan.ts';
import { SITE, SITE_SILENT } from './site.ts';
import type { WorkerMessage } from './soak.ts';

/** Visited in turn: later visits meet what is remembered of earlier ones. */
const SITES = 4;
/** Only a load that loses something runs into it. */
const LOAD_LIMIT_MS = 40_000;
/** Of what is done to a browser between loads; only one that hangs runs into it. */
const STEP_LIMIT_MS = 60_000;
/** Of a loopback interface and this process's own turn. */
const SENT_MS = 50;
/** What Node prints last, or the helper, when it ends by an exception (helper/src/start.ts). */
const SHOWN_CHARACTERS = 1_500;
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
  /** Objects that servers had been asked for when the fault had been made. */
  readonly asked: readonly string[];
  readonly violations: string[];
}

// whoever has started it is gone
process.on('disconnect', () => process.exit(1));
const turns = planTurns(loads, seed, hasDriver);
for (let place = await nextTurn(); place < turns.length; place = await nextTurn()) await run(turns[place] as Turn, path.join(machine.dir, `turn-${place}`));
process.exit();

async function run({ browser: name, mode, loads: planned }: Turn, runDir: string): Promise<void> {
  const stock = baselines.get(name) ?? (await observeStock(name));
  baselines.set(name, stock);
  const faults = new FaultMaker({ mode, dir: runDir, hasDriver: hasDriver && carries(mode) });
  await faults.begin();
  const visits: [PlannedLoad, Visited][] = [];
  const browser = await within(STEP_LIMIT_MS, `the start of ${name} in the mode ${mode}`, machine.startBrowser(name, mode, runDir, { tellsFailures: true }));
  const atEnd: string[] = [];
  try {
    await within(STEP_LIMIT_MS, 'coming into force', faults.recover('none', browser));
    for (const load of planned) {
      const visited = await visit(browser, load, () => faults.make(load.fault, browser));
      await within(STEP_LIMIT_MS, 'recovering', faults.recover(load.fault, browser)).catch((error: unknown) => visited.violations.push(`it did not recover: ${String(error)}; the helper's last words: ${saidBy(path.join(helperDirOf(runDir), 'log')).slice(-SHOWN_CHARACTERS)}`));
      visits.push([load, visited]);
    }
  } catch (error) {
    atEnd.push(`the other loads are left out: ${String(error)}`);
  } finally {
    atEnd.push(...browser.crashes);
    await within(STEP_LIMIT_MS, 'closing the browser', browser.close()).catch((error: unknown) => atEnd.push(String(error)));
    await faults.end();
  }
  const log = path.join(helperDirOf(runDir), 'log');
  const crash = CRASHED.exec(saidBy(log));
  if (crash !== null) atEnd.push(`the helper crashed: ${saidBy(log).slice(Math.max(0, crash.index - SHOWN_CHARACTERS), crash.index + SHOWN_CHARACTERS)}`);
  atEnd.push(...(await endLeftOvers(runDir)).map((left) => `left over: ${left}; the helper's last words: ${saidBy(log).slice(-SHOWN_CHARACTERS)}`));
  // only now: a request that came late counts
  let before: Faulty = CALM;
  for (const [load, { page, failures, log, asked, violations }] of visits) {
    const excuses = excusesOf({ failures, failed: [...failedOf(page), ...(name === 'firefox' ? SITE_SILENT : [])], asked }, before, load);
    const differences = violationsOf(stock, { page, requests: requestsOf(log) }, excuses);
    const found = [...violations, ...differences];
    tell({ ...load, browser: name, mode, excused: excuses.lost.length, violations: found.length > 0 ? [...found, `requests that the browser says have failed: ${JSON.stringify(failures)}`] : found });
    before = load;
  }
  tell({ number: planned.at(-1)?.number ?? 0, browser: name, mode, fault: 'end', moment: null, violations: atEnd, excused: 0 });
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
  let asked: readonly string[] = [];
  const make = async (): Promise<void> => {
    await makeFault().catch((error: unknown) => violations.push(`the fault was not made: ${String(error)}`));
    // what the helper had sent before its end is heard of
    await sleep(SENT_MS);
    asked = requestsOf(log).map(({ object }) => object);
  };
  const tab = await within(STEP_LIMIT_MS, 'opening a tab', browser.newTab());
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
  try {
    const page = await within(LOAD_LIMIT_MS, 'the load', load()).catch(String);
    return { page, failures: tab.failures, log, asked, violations };
  } finally {
    log.letGo();
    await within(STEP_LIMIT_MS, 'closing a tab', tab.close()).catch((error: unknown) => violations.push(String(error)));
  }
}

/** What the helpers of a browser have logged. */
function saidBy(log: string): string {
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}

function requestsOf(log: CaseLog): Asked[] {
  return log.exchanges.map(({ method, scheme, kind, path: to }) => ({ how: `${method} ${scheme}`, object: `${kind}${to}` }));
}

async function nextTurn(): Promise<number> {
  tell('free');
  const [place] = (await once(process, 'message')) as [number];
  return place;
}

function tell(message: WorkerMessage): void {
  process.send?.(message);
}
