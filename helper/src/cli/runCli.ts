import { hostname, userInfo } from 'node:os';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { readAuthority, trustDirectory } from '../trust/authority.ts';
import { HELPER_VERSION } from '../version.ts';
import { titleOf } from './browsers.ts';
import { isConfirmed, type Conversation } from './confirm.ts';
import { checksText, examine } from './doctor.ts';
import { forget } from './forget.ts';
import { planInstall } from './install.ts';
import { machineOf, type Machine } from './machine.ts';
import { HELP, parseOptions, type Options } from './options.ts';
import type { Program } from './program.ts';
import { readStatus, statusText } from './status.ts';
import { applySteps, type Step } from './steps.ts';
import type { Target } from './targets.ts';
import { planTrust, trustText } from './trust.ts';
import { planUninstall } from './uninstall.ts';
import { planUntrust, untrustText } from './untrust.ts';

/** The process around the command line. */
export interface Surroundings extends Conversation {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  readonly program: Program;
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

async function run(options: Options, surroundings: Surroundings): Promise<Outcome> {
  const { platform, home, env, program } = surroundings;
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
    case 'trust':
      return trust(options, machine, surroundings);
    case 'untrust':
      return untrust(options, machine, surroundings);
    case 'doctor': {
      const checks = await examine(options, machine);
      return { text: checksText(checks), report: { checks }, failed: checks.some(({ verdict }) => verdict === 'fail') };
    }
  }
}

function install(options: Options, machine: Machine, program: Program): Outcome {
  const { targets, steps, byHand } = planInstall(options, machine, program);
  if (!options.dryRun) applySteps(steps);
  const browsers = targets.length === 0 ? 'all users' : listOf(targets);
  const done = steps.length === 0 ? `Already installed for ${browsers}.` : options.dryRun ? plannedText(steps) : `Installed for ${browsers}. Restart nothing: the extension finds the helper when it next needs it.`;
  const policy = options.policy && !options.dryRun ? ' Browsers install the extension by policy at their next start; users who have run "firstscreen-helper install" before, and those of Brave, run it once more.' : '';
  const text = [done + policy, ...byHand].join('\n');
  return { text, report: { dryRun: options.dryRun, manifests: targets, steps: steps.map(stepReport), byHand } };
}

function uninstall(options: Options, machine: Machine): Outcome {
  if (options.policy && !machine.isRoot && !options.dryRun) throw new FirstscreenError('E_NOT_ROOT', 'Policies of browsers can be removed by root alone.', 'Run: sudo firstscreen-helper uninstall --policy');
  const { removed, foreign, steps } = planUninstall(options, machine);
  if (!options.dryRun) applySteps(steps);
  const kept = foreign.map(({ manifest }) => `\nLeft alone, because it starts another program: ${manifest}`).join('');
  const done = steps.length === 0 ? 'Nothing of Firstscreen was installed there.' : options.dryRun ? plannedText(steps) : removed.length === 0 ? 'Removed.' : `Removed from ${listOf(removed)}.`;
  const restart = !options.dryRun && steps.some(({ action }) => action === 'removeFromStore') ? ' Its certificate authority is gone too: start the browsers anew.' : '';
  return { text: done + restart + kept, report: { dryRun: options.dryRun, manifests: removed, foreign, steps: steps.map(stepReport) } };
}

async function trust(options: Options, machine: Machine, conversation: Conversation): Promise<Outcome> {
  const plan = await planTrust(machine, { host: hostname(), user: userName() }, new Date());
  const until = plan.until.toISOString();
  const report = { dryRun: options.dryRun, until, stores: plan.stores, steps: plan.steps.map(stepReport) };
  if (plan.steps.length === 0) return { text: `Trusted already, until ${until.slice(0, 10)}.`, report };
  const meaning = trustText(plan, machine);
  if (options.dryRun) return { text: `${meaning}\n\n${plannedText(plan.steps)}`, report };
  if (!(await isConfirmed(meaning, options, conversation))) return NOTHING_DONE;
  applySteps(plan.steps);
  // what the helper would refuse is told now, and not when a page fails
  readAuthority(trustDirectory(machine), new Date());
  return { text: 'Done. Start the browsers anew: one that runs may not trust the authority yet. To take it back: firstscreen-helper untrust.', report };
}

async function untrust(options: Options, machine: Machine, conversation: Conversation): Promise<Outcome> {
  const plan = planUntrust(machine);
  const steps = [...plan.steps, ...plan.directories];
  const report = { dryRun: options.dryRun, stores: plan.stores, steps: steps.map(stepReport) };
  if (steps.length === 0) return { text: 'Nothing of Firstscreen is trusted here.', report };
  const meaning = untrustText(plan);
  if (options.dryRun) return { text: `${meaning}\n\n${plannedText(steps)}`, report };
  if (!(await isConfirmed(meaning, options, conversation))) return NOTHING_DONE;
  applySteps(steps);
  return { text: 'Taken back. Start the browsers anew.', report };
}

const NOTHING_DONE: Outcome = { text: 'Nothing was done.', report: { done: false }, failed: true };

/** Of who runs this; a user whom the system does not know by name, as in some containers, by number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
}

function listOf(targets: readonly Target[]): string {
  return targets.map(({ browser }) => titleOf(browser)).join(', ');
}

function plannedText(steps: readonly Step[]): string {
  return ['Would:', ...steps.map(({ description }) => `  ${description}`)].join('\n');
}

function stepReport({ action, path }: Step): object {
  return { action, path };
}
