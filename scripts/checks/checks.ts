import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseGoTestEvents } from './go-test-events.ts';
import type { Outcome } from './outcome.ts';
import type { CommandResult, CommandOptions } from './run-command.ts';
import { OUTCOME_PATH_VARIABLE } from './vitest-reporter.ts';

/** Runs a command in the checkout; bound to its root, the time left and the interrupt by scripts/test.ts. */
export type Runner = (command: string, args: readonly string[], options?: Partial<Pick<CommandOptions, 'cwd' | 'env' | 'show' | 'givesWay'>>) => Promise<CommandResult>;

/** One heading of a test run. */
export interface Check {
  readonly key: string;
  readonly heading: string;
  readonly limitMinutes: number;
  run(runner: Runner): Promise<Outcome>;
}

/** A failed check prints at most this much; the rest is seldom read and hides the other failures. */
const DETAIL_LIMIT_CHARACTERS = 20_000;

function endOf(result: CommandResult): string {
  const text = result.output.trim();
  const shown = text.length > DETAIL_LIMIT_CHARACTERS ? `...\n${text.slice(-DETAIL_LIMIT_CHARACTERS)}` : text;
  const end = result.brokenOff ?? (result.exitCode === null ? 'could not be started' : `exit status ${result.exitCode}`);
  return `${shown}\n(${end})`.trim();
}

/** A tool that passes or fails as a whole counts as one test. */
export function toolOutcome(name: string, result: CommandResult): Outcome {
  const isGood = result.exitCode === 0 && result.brokenOff === undefined;
  return { passed: isGood ? 1 : 0, failures: isGood ? [] : [{ name, detail: endOf(result) }], skips: [] };
}

/** A test runner that failed must show a failure, even when no test of its report did. */
export function runnerOutcome(name: string, result: CommandResult, reported: Outcome): Outcome {
  const isGood = result.exitCode === 0 && result.brokenOff === undefined;
  if (isGood || (reported.failures.length > 0 && result.brokenOff === undefined)) return reported;
  return { ...reported, failures: [...reported.failures, { name, detail: endOf(result) }] };
}

function tool(key: string, heading: string, limitMinutes: number, command: string, args: readonly string[], options: Parameters<Runner>[2] = {}): Check {
  return {
    key,
    heading,
    limitMinutes,
    run: async (runner) => toolOutcome(heading, await runner(command, args, options)),
  };
}

function goTests(key: string, heading: string, limitMinutes: number, cwd: string, packages: readonly string[] = ['./...'], givesWay = false): Check {
  return {
    key,
    heading,
    limitMinutes,
    async run(runner) {
      // Go remembers results, but not of what a test builds and starts itself.
      const result = await runner('go', ['test', '-json', '-count=1', `-timeout=${limitMinutes}m`, ...packages], { cwd, givesWay });
      return runnerOutcome(heading, result, parseGoTestEvents(result.stdout));
    },
  };
}

function vitest(root: string, project: string, heading: string, limitMinutes: number): Check {
  return {
    key: project,
    heading,
    limitMinutes,
    async run(runner) {
      const path = join(root, 'build/reports', `vitest-${project}.json`);
      rmSync(path, { force: true });
      const args = ['run', '--project', project, '--reporter=default', '--reporter=./scripts/checks/vitest-reporter.ts', '--passWithNoTests'];
      const result = await runner('vitest', args, { env: { [OUTCOME_PATH_VARIABLE]: path }, show: true });
      const reported = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Outcome) : { passed: 0, failures: [], skips: [] };
      return runnerOutcome(heading, result, reported);
    },
  };
}

/** Lanes run at once, the checks of a lane in order. */
export type Stage = readonly (readonly Check[])[];

/** Everything a test run does, stage by stage: what is quick and explains later failures comes first. */
export function allStages(root: string): readonly Stage[] {
  const e2e = join(root, 'e2e');
  const driver = join(root, 'helper/driver');
  const inSystems = ['qemu', 'packaging'];
  const givesWay = { givesWay: true };
  const driverParts = readdirSync(driver, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() && !inSystems.includes(entry.name) ? [`./${entry.name}/...`] : []));
  return [
    [
      // these tools give way to tests that are timed
      [
        tool('types', 'Types (tsc -b)', 5, 'tsc', ['-b'], givesWay),
        tool('imports', 'Direction of imports (dependency-cruiser)', 3, 'depcruise', ['--config', '.dependency-cruiser.js', 'extension/src', 'helper/src', 'shared/src', 'relay/src', 'e2e'], givesWay),
        tool('deadcode', 'Dead code (knip)', 3, 'knip', ['--no-progress'], givesWay),
        tool('webext', 'Firefox add-on (web-ext lint)', 3, 'web-ext', ['lint', '--source-dir', 'dist/extension/firefox', '--warnings-as-errors', '--no-config-discovery'], givesWay),
        tool('govet', 'Go vet', 3, 'go', ['vet', './...'], { cwd: e2e, ...givesWay }),
        tool('drivervet', 'Go vet of the driver', 3, 'go', ['vet', './...'], { cwd: driver, ...givesWay }),
      ],
      [goTests('go', 'Go tests', 8, e2e), goTests('driver', 'Driver tests (Go)', 8, driver, driverParts)],
    ],
    [
      [
        vitest(root, 'unit', 'Unit and integration tests (vitest)', 12),
        vitest(root, 'browser', 'Browser tests (vitest)', 21),
      ],
      // These tests wait half of their time; beside them goes what takes a processor: packers, lintian, linters, and emulated machines, which have clocks of their own, so that how long they take changes nothing in them.
      [
        tool('debians', 'Debians for packages (debootstrap)', 8, 'node', ['scripts/packages/makeDebians.ts'], givesWay),
        vitest(root, 'packages', 'Packages (vitest)', 12),
        goTests('driversystems', 'Driver in whole systems (Go)', 22, driver, inSystems.map((name) => `./${name}/...`), true),
      ],
      [tool('lint', 'Lint (eslint)', 22, 'eslint', ['.', '--max-warnings', '0'], givesWay)],
    ],
  ];
}
