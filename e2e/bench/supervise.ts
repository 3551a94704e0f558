import { access, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { BENCH_HELPER, BENCH_RELAY, CHROMIUM, DRIVER, EXTENSIONS, FIREFOX, HOSTING, LINK, ROOT } from '../browsers/executables.ts';
import { comparedPairs } from './baselines.ts';
import { Collector } from './collector.ts';
import { withDirectory } from './commandLine.ts';
import { compareSchemes } from './comparisons.ts';
import { BenchError } from './errors.ts';
import { Journal, planIdentity, remainingPairs } from './journal.ts';
import { linkOptions, secondHopOptions } from './linkOptions.ts';
import { machine, versions } from './machine.ts';
import type { BenchOptions } from './options.ts';
import type { PageFile } from './pages.ts';
import { prepareRelay } from './relay/prepareRelay.ts';
import { RESULTS_VERSION, type Results } from './results.ts';
import { schedule } from './schedule.ts';
import { setupOf, type RelayMode } from './schemes.ts';
import { startTestbed, type RunningTestbed } from './testbedProcess.ts';
import { WorkerMessage, type WorkerPlan } from './workerMessages.ts';

const MS_PER_MINUTE = 60_000;

export interface Supervision {
  readonly onMessage: (message: WorkerMessage) => void;
  /** Given the running test bed, so that a signal can stop it, and how many pairs are to be made. */
  readonly onStart?: (testbed: RunningTestbed, pairs: number) => void;
  /** A helper to measure instead of the one in dist/: its bundle. */
  readonly helperMain?: string;
}

/** Runs a whole benchmark and returns what was measured, however it ended. Leaves no process and no temporary file. */
export async function supervise(options: BenchOptions, pages: readonly PageFile[], supervision: Supervision): Promise<Results> {
  const startedAt = new Date();
  await refuseUnbuilt(options);
  const outDir = resolve(options.out);
  const programs = await versions();
  const identity = await planIdentity(ROOT, options, pages, programs);
  const journal = await (options.resume ? Journal.resume(outDir, identity) : Journal.begin(outDir, identity));
  const labels = options.schemes.map(({ label }) => label);
  const collector = new Collector(pages, options.schemes);
  for (const message of journal.earlier) collector.take(message);
  const pairs = remainingPairs(schedule(pages.map(({ name }) => name), labels, options.runs, options.seed), journal.earlier);
  await withDirectory('firstscreen-bench-', async (temporaryDir) => {
    // The authority is made anew for each run and goes with it: no key that a browser trusts stays on the machine.
    const caDir = join(temporaryDir, 'ca');
    await mkdir(caDir);
    const modes = relayModes(options);
    const relay = modes.size > 0 ? await prepareRelay({ temporaryDir, authorityFile: join(caDir, 'ca.pem'), modes }) : null;
    const plan: WorkerPlan = {
      pages: [...pages],
      pairs: pairs.map(({ order, ...pair }) => ({ ...pair, order: [...order] })),
      schemes: options.schemes.map((scheme) => ({ ...scheme, partsOff: [...scheme.partsOff] })),
      protocol: options.protocol,
      viewport: options.viewport,
      loadTimeoutMs: options.loadTimeoutMs,
      maxLateMs: options.maxLateMs,
      isSecondPage: options.isSecondPage,
      deadlineMs: options.limitMinutes === null ? null : Date.now() + options.limitMinutes * MS_PER_MINUTE,
      caDir,
      helperMain: supervision.helperMain ?? BENCH_HELPER,
      relayHomes: relay?.homes ?? {},
      linkSocket: join(temporaryDir, 'link.sock'),
      hostingSocket: join(temporaryDir, 'hosting.sock'),
      temporaryDir,
      outDir,
    };
    const planFile = join(temporaryDir, 'plan.json');
    await writeFile(planFile, JSON.stringify(plan));
    const testbed = startTestbed(
      {
        linkOptions: [...linkOptions(options.profile), ...secondHopOptions(options.relayRttMs), '--seed', String(options.seed), '--control', plan.linkSocket],
        far: [HOSTING, '--ca-dir', caDir, '--control', plan.hostingSocket],
        relay: relay?.command,
        worker: [process.execPath, join(import.meta.dirname, 'worker.ts'), planFile],
        logFile: join(outDir, 'testbed.log'),
      },
      WorkerMessage,
      (message) => {
        journal.add(message);
        collector.take(message);
        supervision.onMessage(message);
      },
    );
    supervision.onStart?.(testbed, pairs.length);
    await testbed.ended.catch((error: unknown) => {
      // What was measured before the test bed failed is reported with the error.
      if (!(error instanceof BenchError) || collector.isEmpty) throw error;
      collector.fail(error);
    });
  });
  const loads = collector.loads();
  return {
    version: RESULTS_VERSION,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    ended: collector.ended,
    error: collector.error,
    options: { ...options, schemes: [...options.schemes], pages: [...options.pages] },
    versions: programs,
    machine: machine(),
    link: collector.link,
    congestion: collector.congestion,
    pages: collector.pages(),
    comparisons: compareSchemes(loads, comparedPairs(options.schemes), options.seed),
    loads,
  };
}

function relayModes({ schemes }: BenchOptions): ReadonlySet<RelayMode> {
  return new Set(schemes.flatMap((scheme) => setupOf(scheme).relay ?? []));
}

/** What the schemes need of the build; a missing part is told before anything is started. @throws BenchError */
async function refuseUnbuilt(options: BenchOptions): Promise<void> {
  const setups = options.schemes.map(setupOf);
  const needed = [LINK, HOSTING];
  for (const { browser, hasExtension, hasHelper } of setups) {
    needed.push(browser === 'firefox' ? FIREFOX : CHROMIUM);
    if (hasExtension) needed.push(join(EXTENSIONS, browser === 'firefox' ? 'firefox' : 'managed', 'manifest.json'));
    if (hasHelper) needed.push(BENCH_HELPER);
  }
  if (relayModes(options).size > 0) needed.push(BENCH_RELAY);
  if (setups.some(({ hasDriver }) => hasDriver)) {
    needed.push(DRIVER);
    if (process.getuid?.() !== 0) throw new BenchError('E_DRIVER_START', 'Starting the benchmark: a scheme with the driver needs root', 'run it as root, or leave these schemes out');
  }
  for (const path of needed) {
    await access(path).catch((error: unknown) => {
      throw new BenchError('E_BUILD', `Starting the benchmark: ${path} is missing`, 'run it by npm (npm start, npm run bench), which builds what is missing; browsers are named by FIRSTSCREEN_CHROMIUM and FIRSTSCREEN_FIREFOX', { cause: error });
    });
  }
}
