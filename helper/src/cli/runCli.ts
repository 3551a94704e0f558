import { hostname, userInfo } from 'node:os';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { HELPER_VERSION } from '../version.ts';
import { checksText } from '../../../shared/src/check.ts';
import { isConfirmed, type Conversation } from './confirm.ts';
import { examine } from './doctor.ts';
import { forget } from './forget.ts';
import { HELP } from './help.ts';
import { planInstall } from './install.ts';
import { invocationOf, withInvocation } from './invocation.ts';
import { machineOf, type Machine } from './machine.ts';
import { parseOptions, type Options } from './options.ts';
import type { Program } from './program.ts';
import { AT_NEXT_START, checkRelay, noRelay, planRelayAdd, planRelayRemove, planRelayTerminate, terminatedHosts } from './relay.ts';
import type { SetupSurroundings } from './relaySetup/farSession.ts';
import { setUpRelay } from './relaySetup/setUpRelay.ts';
import type { SetupOrder } from './relaySetup/setupOrder.ts';
import { indented, takeBackRelay, type TakenBack } from './relaySetup/takeBackRelay.ts';
import { readStatus } from './status.ts';
import { applySteps, type Plan } from './steps.ts';
import { systemFault } from './systemFault.ts';
import { planTrust } from './trust.ts';
import { planUninstall } from './uninstall.ts';
import { planUntrust } from './untrust.ts';

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
  const { program, env, printError } = surroundings;
  // looked up anew each time: "install" may put the command there
  const here = (text: string): string => withInvocation(text, invocationOf(program, { env, root: '/' }));
  const print = (text: string): void => surroundings.print(here(text));
  try {
    const options = parseOptions(args);
    const outcome = await run(options, { ...surroundings, print });
    if (options.json) surroundings.print(JSON.stringify(outcome.report, null, 2));
    else print(outcome.text);
    return outcome.failed === true ? STATUS_FAILED : STATUS_OK;
  } catch (error) {
    const known = error instanceof FirstscreenError ? error : systemFault(error);
    if (known === null) throw error;
    const { code } = known;
    const [message, next] = [here(known.message), here(known.next)];
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
      return carryOut(planInstall(options, machine, program), options, surroundings);
    case 'uninstall':
      return carryOut(planUninstall(options, machine), options, surroundings);
    case 'trust':
      return carryOut(await planTrust(machine, { host: hostname(), user: userName() }, new Date()), options, surroundings);
    case 'untrust':
      return carryOut(planUntrust(machine), options, surroundings);
    case 'relay':
      return relay(options, surroundings, machine);
    case 'forget':
      return { text: forget(options, machine), report: { dryRun: options.dryRun, forgotten: options.site ?? 'all' } };
    case 'status': {
      const { checks } = readStatus(options, machine);
      return { text: checksText(checks).join('\n'), report: { checks } };
    }
    case 'doctor': {
      const checks = await examine(options, machine);
      const failures = checks.filter(({ verdict }) => verdict === 'fail').length;
      const summary = failures === 0 ? 'The helper is ready.' : `The helper is not ready: ${failures} of ${checks.length} checks failed.`;
      return { text: [...checksText(checks), summary].join('\n'), report: { checks }, failed: failures > 0 };
    }
  }
}

async function relay(options: Options, surroundings: Surroundings, machine: Machine): Promise<Outcome> {
  const { relay: order } = options;
  switch (order?.action) {
    case 'add':
      return carryOut(await planRelayAdd(order, machine, hostname(), new Date()), options, surroundings);
    case 'setup':
      return relaySetup(order, options, surroundings, machine);
    case 'remove': {
      const far = order.far === null ? null : await takeBackRelay(order.far, farSurroundings(options, surroundings, machine));
      const outcome = await carryOut(planRelayRemove(machine), options, surroundings);
      return far === null ? outcome : { ...outcome, text: `${FAR_OUTCOMES[far]} ${outcome.text}`, report: { ...outcome.report, far } };
    }
    case 'terminate':
      return order.change === 'list' ? terminatedBy(machine) : carryOut(planRelayTerminate(order, machine), options, surroundings);
    default: {
      const found = await checkRelay(machine, hostname());
      const checks = found.length > 0 ? found : [noRelay()];
      return { text: checksText(checks).join('\n'), report: { checks }, failed: checks.some(({ verdict }) => verdict !== 'pass') };
    }
  }
}

const FAR_OUTCOMES: Readonly<Record<TakenBack, string>> = { nothing: 'There: nothing was done.', revoked: 'There: the relay lets this helper in no more, and goes on for others.', removed: 'There: the relay is gone.' };

async function relaySetup(order: SetupOrder, options: Options, surroundings: Surroundings, machine: Machine): Promise<Outcome> {
  const report = await setUpRelay(order, { ...farSurroundings(options, surroundings, machine), program: surroundings.program });
  const steps = report.steps.flatMap(({ what, command, script }) => [`- ${what}`, ...(command === null ? [] : [`    ${command}`]), ...(script === null ? [] : [indented(script)])]);
  const done = [`The relay at ${report.relay} answers, and lets this helper in.`, AT_NEXT_START, 'To take it back: firstscreen-helper relay remove --far, with the same ssh://...'];
  return { text: [...(report.dryRun ? ['Would:', ...steps] : done), ...report.notes].join('\n'), report };
}

/** For what is done by ssh: in JSON nobody is told of steps, nor asked by us. */
function farSurroundings({ scope, dryRun, json }: Options, { terminal = null, print }: Surroundings, machine: Machine): Omit<SetupSurroundings, 'program'> {
  return { machine, hostName: hostname(), wantsSystem: scope === 'system', hasTerminal: terminal !== null && !json, dryRun, say: json ? () => undefined : print };
}

function terminatedBy(machine: Machine): Outcome {
  const hosts = terminatedHosts(machine);
  return { text: hosts.length === 0 ? 'The relay makes no requests by itself.' : hosts.join('\n'), report: { hosts } };
}

async function carryOut({ steps, meaning, nothing, done, notes = [], verify, report: ofPlan }: Plan, options: Options, conversation: Conversation): Promise<Outcome> {
  const report = { dryRun: options.dryRun, ...ofPlan, steps: steps.map(({ action, path }) => ({ action, path })) };
  const said = (...texts: string[]): Outcome => ({ text: [...texts, ...notes].join('\n'), report });
  if (steps.length === 0) return said(nothing);
  if (options.dryRun) return said(...(meaning === undefined ? [] : [meaning, '']), 'Would:', ...steps.map(({ description }) => `  ${description}`));
  if (meaning !== undefined && !(await isConfirmed(meaning, options, conversation))) return { text: 'Nothing was done.', report: { done: false }, failed: true };
  applySteps(steps);
  verify?.();
  return said(done);
}

/** Of who runs this; a user whom the system does not know by name, as in some containers, by number. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
}
