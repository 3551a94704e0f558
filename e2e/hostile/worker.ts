/** The process of the bed, in namespaces of its own: runs cases when asked over IPC. Started by bed.ts. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { helperPids, leftHelpers } from '../browsers/helperProcesses.ts';
import { within } from '../browsers/within.ts';
import { pidFileOf } from './bedHelper.ts';
import type { BedBrowser } from './bedBrowser.ts';
import { nameOf, type HostileCase, type Seen } from './case.ts';
import type { BrowserName, Mode } from './mode.ts';
import type { CaseLog } from './servers.ts';
import { CASES } from './cases/all.ts';
import { helperDirOf, Machine } from './machine.ts';
import { changeAddress, linkDown, linkUp } from './place.ts';
import { carries } from './settings.ts';
import type { Tab } from './tab.ts';

/** At once in one browser: two cores, and most of a case is waiting. */
const CONCURRENCY = 4;
/** Only a case that loses something, or waits for what never comes, runs into it. */
const CASE_LIMIT_MS = 40_000;

export interface RunRequest {
  readonly browser: BrowserName;
  readonly mode: Mode;
  /** Of cases to run, several of one where it runs several times. */
  readonly labels: readonly string[];
}

/** What a mode has shown. */
export interface ModeSeen {
  /** By label. */
  readonly cases: Readonly<Record<string, Seen>>;
  /** What the helpers have logged, if any is left when the browser has closed. */
  readonly left: string | null;
}

type LabelledCase = HostileCase & { readonly label: string };

export type RunAnswer = { readonly seen: ModeSeen } | { readonly error: string };

const machine = await Machine.make('hostile');

async function run({ browser: browserName, mode, labels }: RunRequest): Promise<ModeSeen> {
  const runDir = path.join(machine.dir, `${browserName}-${mode}`);
  const helperDir = helperDirOf(runDir);
  const browser = await machine.startBrowser(browserName, mode, runDir, { tellsFailures: false });
  let seen: ModeSeen['cases'];
  try {
    const done: [string, unknown, CaseLog][] = [];
    const cases = labels.flatMap((label) => CASES.filter(({ name }) => name === nameOf(label)).map((each) => ({ ...each, label })));
    const one = async (each: LabelledCase): Promise<void> => {
      const log = machine.servers.begin(each.label, each.site);
      machine.names.restore(rebindHostOf(each.label));
      const startedMs = performance.now();
      const page = await within(CASE_LIMIT_MS, 'the case', visit(browser, each, log, { browserName, mode, helperDir })).catch((error: unknown) => `the case failed: ${String(error)}`);
      if (process.env['HOSTILE_TIMES'] !== undefined) process.stderr.write(`${browserName} ${mode} ${each.label}: ${Math.round(performance.now() - startedMs)} ms\n`);
      done.push([each.label, page, log]);
    };
    const together = cases.filter(({ alone }) => alone !== true);
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      for (let next = together.shift(); next !== undefined; next = together.shift()) await one(next);
    }));
    for (const each of cases) if (each.alone === true) await one(each);
    // only now: whatever came late counts
    seen = Object.fromEntries(done.map(([label, page, log]) => [label, { page, requests: log.lines() }]));
  } finally {
    await browser.close();
  }
  const left = await leftHelpers(pidFileOf(helperDir));
  return { cases: seen, left: left.length > 0 ? `${left.join()}\n${readFileSync(path.join(helperDir, 'log'), 'utf8')}` : null };
}

async function visit(browser: BedBrowser, { label, visit: own, alone }: LabelledCase, log: CaseLog, at: { browserName: BrowserName; mode: Mode; helperDir: string }): Promise<unknown> {
  const tabs: Tab[] = [];
  const keep = async (opened: Promise<Tab>): Promise<Tab> => {
    tabs.push(await opened);
    return opened;
  };
  const url = (to: string, kind = 'own', scheme = 'https'): string => `${scheme}://${label}.${kind}.test${to}`;
  // the case before it may have ended a part of what is tested
  if (alone === true) await browser.inForce();
  const tab = await keep(browser.newTab());
  try {
    if (own === undefined) {
      const opened = await tab.open(url('/'));
      return opened === 'ok' ? await tab.finished() : opened;
    }
    return await own(tab, {
      browser: at.browserName, url,
      newTab: () => keep(browser.newTab()),
      newPrivateTab: () => keep(browser.newPrivateTab()),
      asked: (path) => log.asked(path),
      hold: (path) => log.hold(path),
      letGo: () => log.letGo(),
      stopWorker: () => browser.stopWorker(),
      killHelper: () => signalHelper(at, 'SIGKILL'),
      async freezeHelper(forMs) {
        signalHelper(at, 'SIGSTOP');
        await sleep(forMs);
        signalHelper(at, 'SIGCONT');
      },
      network: { down: linkDown, up: linkUp, changeAddress },
      rebind: () => machine.names.rebind(rebindHostOf(label)),
    });
  } finally {
    log.letGo();
    for (const each of tabs) await each.close().catch(() => undefined);
  }
}

function rebindHostOf(label: string): string {
  return `${label}.rebind.test`;
}

function signalHelper({ mode, helperDir }: { mode: Mode; helperDir: string }, signal: NodeJS.Signals): void {
  const pid = carries(mode) ? helperPids(pidFileOf(helperDir)).at(-1) : undefined;
  if (pid !== undefined) process.kill(pid, signal);
}

process.on('message', (request: RunRequest) => {
  void run(request).then((seen): RunAnswer => ({ seen }), (error: unknown): RunAnswer => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }))
    .then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
