import { FirstscreenError } from '../../../shared/src/errors.ts';
import { HELPER_VERSION } from '../version.ts';
import { titleOf } from './browsers.ts';
import { checksText, examine } from './doctor.ts';
import { forget } from './forget.ts';
import { planInstall } from './install.ts';
import { machineOf, type Machine } from './machine.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import type { Program } from './program.ts';
import { readStatus, statusText } from './status.ts';
import { applySteps, describeStep, type Step } from './steps.ts';
import type { Target } from './targets.ts';
import { planUninstall } from './uninstall.ts';

/** The process around the command line. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly program: Program;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

interface Outcome {
  readonly text: string;
  /** The same for a program, given with `--json`. */
  readonly report: object;
  readonly failed?: boolean;
}

const STATUS_OK = 0;
const STATUS_FAILED = 1;
/** As shells and getopt programs use it. */
const STATUS_USAGE = 2;

/** Runs one command. @returns the status to end the process with: 0, 1 when the command failed, 2 when it was written wrongly */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { print, printError } = surroundings;
  try {
    const options = parseOptions(args);
    const outcome = await run(options, surroundings);
    print(options.json ? JSON.stringify(outcome.report, null, 2) : outcome.text);
    return outcome.failed === true ? STATUS_FAILED : STATUS_OK;
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    const { code, message, next } = error;
    printError(args.includes('--json') ? JSON.stringify({ code, message, next }) : `firstscreen-helper: ${message} ${next} (${code})`);
    return code === 'E_OPTION' ? STATUS_USAGE : STATUS_FAILED;
  }
}

async function run(options: Options, { platform, home, env, program }: Surroundings): Promise<Outcome> {
  if (options.command === 'help') return { text: HELP.trimEnd(), report: { help: HELP } };
  if (options.command === 'version') return { text: HELPER_VERSION, report: { version: HELPER_VERSION } };
  const machine = machineOf(platform, home, env);
  switch (options.command) {
    case 'install':
      return install(options, machine, program);
    case 'uninstall':
      return uninstall(options, machine);
    case 'status': {
      const status = readStatus(options, machine);
      return { text: statusText(status), report: status };
    }
    case 'forget': {
      const text = forget(options, machine);
      return { text, report: { dryRun: options.dryRun, forgotten: options.site ?? 'all' } };
    }
    case 'doctor': {
      const checks = await examine(options, machine);
      return { text: checksText(checks), report: { checks }, failed: checks.some(({ verdict }) => verdict === 'fail') };
    }
  }
}

function install(options: Options, machine: Machine, program: Program): Outcome {
  const { targets, steps } = planInstall(options, machine, program);
  if (!options.dryRun) applySteps(steps);
  const browsers = listOf(targets);
  const text = steps.length === 0 ? `Already installed for ${browsers}.` : options.dryRun ? plannedText(steps) : `Installed for ${browsers}. Restart nothing: the extension finds the helper when it next needs it.`;
  return { text, report: { dryRun: options.dryRun, manifests: targets, steps: steps.map(stepReport) } };
}

function uninstall(options: Options, machine: Machine): Outcome {
  const { removed, foreign, steps } = planUninstall(options, machine);
  if (!options.dryRun) applySteps(steps);
  const kept = foreign.map(({ manifest }) => `\nLeft alone, because it starts another program: ${manifest}`).join('');
  const done = steps.length === 0 ? 'Nothing of Firstscreen was installed there.' : options.dryRun ? plannedText(steps) : removed.length === 0 ? 'Removed.' : `Removed from ${listOf(removed)}.`;
  return { text: done + kept, report: { dryRun: options.dryRun, manifests: removed, foreign, steps: steps.map(stepReport) } };
}

function listOf(targets: readonly Target[]): string {
  return targets.map(({ browser }) => titleOf(browser)).join(', ');
}

function plannedText(steps: readonly Step[]): string {
  return ['Would:', ...steps.map((step) => `  ${describeStep(step)}`)].join('\n');
}

function stepReport({ action, path }: Step): object {
  return { action, path };
}
