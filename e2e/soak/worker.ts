/** The process of the soak, in namespaces of its own: reports each load over IPC. Started by soak.ts with the number of loads and the seed. */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BINARIES } from '../bench/driver/overLink.ts';
import { helperScript, makeTrustedHome } from '../hostile/bedHelper.ts';
import type { BedBrowser } from '../hostile/bedBrowser.ts';
import { makeCertificates } from '../hostile/certificates.ts';
import { startChromium } from '../hostile/chromium.ts';
import { startFirefox } from '../hostile/firefox.ts';
import type { BrowserName, Mode } from '../hostile/mode.ts';
import { NameServer } from '../hostile/names.ts';
import { makePlace } from '../hostile/place.ts';
import { type CaseLog, Servers } from '../hostile/servers.ts';
import { carries } from '../hostile/settings.ts';
import { FaultMaker } from './faultMaker.ts';
import { leftOvers } from './leftOvers.ts';
import { type Fault, type Moment, type Observed, planTurns, type PlannedLoad, type Turn, violationsOf } from './plan.ts';
import { SITE } from './site.ts';
import type { Load } from './soak.ts';

/** Visited in turn: later visits meet what is remembered of earlier ones. */
const SITES = 4;
/** Only a load that loses something runs into it. */
const LOAD_LIMIT_MS = 40_000;
const BLOCKER_DIR = path.join(import.meta.dirname, '../hostile/blocker');
const DRIVER = path.join(BINARIES, 'firstscreen-driverd');
/** What Node prints last when it ends by an exception. */
const NODE_CRASHED = /^Node\.js v\d+/m;

const [loads = 0, seed = 0] = process.argv.slice(2).map(Number);
const dir = mkdtempSync(path.join(tmpdir(), 'firstscreen-soak-'));
const certificates = makeCertificates(dir);
makePlace(dir, certificates.authority);
const trustedHome = path.join(dir, 'home');
makeTrustedHome(trustedHome, certificates);
const names = await NameServer.start();
const servers = await Servers.start(certificates);
const hasDriver = process.getuid?.() === 0 && existsSync(DRIVER);
const baselines = new Map<string, Observed>();

interface Visited {
  readonly page: unknown;
  readonly log: CaseLog;
  readonly violations: string[];
}

try {
  for (const [index, turn] of planTurns(loads, seed, hasDriver).entries()) await run(turn, path.join(dir, `turn-${index}`));
} finally {
  servers.close();
  names.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}
process.disconnect();
process.exit();

async function run({ browser: name, mode, loads: planned }: Turn, runDir: string): Promise<void> {
  await observeStock(name, planned, `${runDir}-stock`);
  const faults = new FaultMaker({ mode, dir: runDir, driver: hasDriver && carries(mode) ? DRIVER : null });
  await faults.begin();
  const visits: [PlannedLoad, Visited][] = [];
  const browser = await start(name, mode, runDir);
  const atEnd: string[] = [];
  try {
    await faults.recover(browser);
    for (const load of planned) {
      const visited = await visit(browser, load, faults);
      await faults.recover(browser).catch((error: unknown) => visited.violations.push(`it did not recover: ${String(error)}`));
      visits.push([load, visited]);
    }
    atEnd.push(...browser.crashes);
  } finally {
    await browser.close();
    await faults.end();
  }
  const log = path.join(helperDirOf(runDir), 'log');
  if (existsSync(log) && NODE_CRASHED.test(readFileSync(log, 'utf8'))) atEnd.push(`the helper crashed: ${readFileSync(log, 'utf8').slice(-2_000)}`);
  atEnd.push(...(await leftOvers(runDir)).map((command) => `left over: ${command}`));
  // only now: a request that came late counts
  for (const [{ number, fault, moment }, { page, log: asked, violations }] of visits) {
    const stock = baselines.get(keyOf(name, fault, moment));
    if (stock === undefined) throw new Error(`stock was not observed with ${fault}`);
    report({ number, browser: name, mode, fault, moment, violations: [...violations, ...violationsOf(stock, { page, requests: requestsOf(asked) })] });
  }
  report({ number: planned.at(-1)?.number ?? 0, browser: name, mode, fault: 'end', moment: null, violations: atEnd });
}

/** A stock browser meets the changes of the network, too; the other faults are none of its business. */
async function observeStock(name: BrowserName, planned: readonly PlannedLoad[], runDir: string): Promise<void> {
  const missing = planned.filter(({ fault, moment }) => !baselines.has(keyOf(name, fault, moment)));
  if (missing.length === 0) return;
  const faults = new FaultMaker({ mode: 'stock', dir: runDir, driver: null });
  const browser = await start(name, 'stock', runDir);
  try {
    for (const load of missing) {
      const key = keyOf(name, load.fault, load.moment);
      if (baselines.has(key)) continue;
      const { page, log, violations } = await visit(browser, load, faults);
      if (violations.length > 0) throw new Error(`a stock ${name} with ${load.fault}: ${violations.join('; ')}`);
      baselines.set(key, { page, requests: requestsOf(log) });
    }
  } finally {
    await browser.close();
  }
}

function keyOf(name: BrowserName, fault: Fault, moment: Moment): string {
  return fault === 'addressChanged' || fault === 'linkLost' ? `${name} ${fault} ${moment}` : name;
}

function start(name: BrowserName, mode: Mode, runDir: string): Promise<BedBrowser> {
  const helperDir = helperDirOf(runDir);
  mkdirSync(helperDir, { recursive: true });
  const dataHome = mode === 'interception' ? path.join(trustedHome, 'data') : path.join(helperDir, 'data');
  return (name === 'chromium' ? startChromium : startFirefox)({
    mode, dir: runDir, certificates, trustedHome, blockerDir: BLOCKER_DIR,
    helper: (id) => (carries(mode) ? helperScript(helperDir, dataHome, certificates.authorityFile, name === 'chromium' ? [`--extension-id=${id}`] : []) : null),
  });
}

function helperDirOf(runDir: string): string {
  return path.join(runDir, 'helper-state');
}

async function visit(browser: BedBrowser, { number, fault, moment }: PlannedLoad, faults: FaultMaker): Promise<Visited> {
  const label = `site${number % SITES}`;
  const log = servers.begin(label, SITE);
  const violations: string[] = [];
  const make = (): Promise<void> => faults.make(fault, browser).catch((error: unknown) => void violations.push(`the fault was not made: ${String(error)}`));
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
    return { page: await Promise.race([late, load().catch((error: unknown) => `the load failed: ${String(error)}`)]), log, violations };
  } finally {
    limit.abort();
    log.letGo();
    await tab.close().catch(() => undefined);
  }
}

function requestsOf(log: CaseLog): string[] {
  return log.exchanges.map(({ method, scheme, kind, path: to }) => `${method} ${scheme} ${kind}${to}`).sort();
}

function report(load: Load): void {
  process.send?.(load);
}
