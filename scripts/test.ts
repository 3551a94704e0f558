/**
 * Runs every check and test of the project in order and sums them up: npm test [-- CHECK...].
 *
 * The last line of output is `N passed, N failed, N skipped`, also when the run is interrupted or runs out of time.
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allStages, type Check, type Stage } from './checks/checks.ts';
import { closingLine, exitStatus, total, type Outcome } from './checks/outcome.ts';
import { runCommand } from './checks/run-command.ts';

/** CI's limit is 30 minutes with the set-up; this leaves two for that. */
const WHOLE_LIMIT_MS = 28 * 60_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function chooseChecks(stages: readonly Stage[], keys: readonly string[]): readonly Stage[] {
  const known = stages.flat(2).map(({ key }) => key);
  const unknown = keys.filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new Error(`E_OPTION: could not choose the checks: no check is named ${unknown.join(', ')}. Use some of: ${known.join(', ')}.`);
  }
  return keys.length === 0 ? stages : stages.map((lanes) => lanes.map((lane) => lane.filter(({ key }) => keys.includes(key))));
}

function printOutcome({ heading }: Check, outcome: Outcome, elapsedMs: number): void {
  for (const failure of outcome.failures) print(`\nFAILED ${failure.name}\n${failure.detail.trimEnd()}\n`);
  print(`${heading}: ${closingLine(outcome)} in ${(elapsedMs / MS_PER_SECOND).toFixed(1)} s`);
}

function printSummary(outcome: Outcome): void {
  if (outcome.skips.length > 0) {
    print('\n== Skipped');
    for (const skip of outcome.skips) print(`- ${skip.name}: ${skip.reason}`);
  }
  if (outcome.failures.length > 0) {
    print('\n== Failed (details above)');
    for (const failure of outcome.failures) print(`- ${failure.name}`);
  }
  print('');
  print(closingLine(outcome));
}

/** Runs a check in the time that is left, and says how it went. */
async function runCheck(check: Check, root: string, deadlineMs: number, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now();
  const leftMs = deadlineMs - started;
  if (signal.aborted || leftMs <= 0) {
    const detail = signal.aborted ? 'not run: interrupted' : 'not run: no time left';
    print(`\n== ${check.heading}\n${detail}`);
    return { passed: 0, failures: [{ name: check.heading, detail }], skips: [] };
  }
  print(`\n== ${check.heading}`);
  const limitMs = Math.min(check.limitMinutes * MS_PER_MINUTE, leftMs);
  const outcome = await check.run((command, args, options) => runCommand(command, args, { cwd: root, limitMs, signal, ...options }));
  printOutcome(check, outcome, performance.now() - started);
  return outcome;
}

async function main(): Promise<0 | 1> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const stages = chooseChecks(allStages(root), parseArgs({ allowPositionals: true }).positionals);
  const deadlineMs = performance.now() + WHOLE_LIMIT_MS;
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupt.abort();
    });
  }

  const outcomes: Outcome[] = [];
  for (const lanes of stages) {
    await Promise.all(lanes.map(async (lane) => {
      for (const check of lane) outcomes.push(await runCheck(check, root, deadlineMs, interrupt.signal));
    }));
  }
  const sum = total(outcomes);
  printSummary(sum);
  return exitStatus(sum);
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
