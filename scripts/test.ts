/**
 * Runs every check and test of the project in order and sums them up: npm test [-- CHECK...].
 *
 * The last line of output is `N passed, N failed, N skipped`, also when the run is interrupted or runs out of time.
 */
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allChecks, type Check } from './checks/checks.ts';
import { closingLine, exitStatus, total, type Outcome } from './checks/outcome.ts';
import { runCommand } from './checks/run-command.ts';

/** CI's limit is 30 minutes with the set-up; this leaves two for that. */
const WHOLE_LIMIT_MS = 28 * 60_000;
const MS_PER_MINUTE = 60_000;
const MS_PER_SECOND = 1000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function chooseChecks(checks: readonly Check[], keys: readonly string[]): readonly Check[] {
  const unknown = keys.filter((key) => checks.every((check) => check.key !== key));
  if (unknown.length > 0) {
    throw new Error(`E_OPTION: could not choose the checks: no check is named ${unknown.join(', ')}. Use some of: ${checks.map((check) => check.key).join(', ')}.`);
  }
  return keys.length === 0 ? checks : checks.filter((check) => keys.includes(check.key));
}

function printOutcome(outcome: Outcome, elapsedMs: number): void {
  for (const failure of outcome.failures) print(`\nFAILED ${failure.name}\n${failure.detail.trimEnd()}\n`);
  print(`${closingLine(outcome)} in ${(elapsedMs / MS_PER_SECOND).toFixed(1)} s`);
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

async function main(): Promise<0 | 1> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const checks = chooseChecks(allChecks(root), parseArgs({ allowPositionals: true }).positionals);
  const started = performance.now();
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupt.abort();
    });
  }

  const outcomes: Outcome[] = [];
  for (const check of checks) {
    print(`\n== ${check.heading}`);
    const leftMs = WHOLE_LIMIT_MS - (performance.now() - started);
    if (interrupt.signal.aborted || leftMs <= 0) {
      const detail = interrupt.signal.aborted ? 'not run: interrupted' : 'not run: no time left';
      outcomes.push({ passed: 0, failures: [{ name: check.heading, detail }], skips: [] });
      print(detail);
      continue;
    }
    const limitMs = Math.min(check.limitMinutes * MS_PER_MINUTE, leftMs);
    const checkStarted = performance.now();
    const outcome = await check.run((command, args, options) => runCommand(command, args, { cwd: root, limitMs, signal: interrupt.signal, ...options }));
    outcomes.push(outcome);
    printOutcome(outcome, performance.now() - checkStarted);
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
