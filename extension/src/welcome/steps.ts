import type { HelperMisfit, TabStatus } from '../messages/status.ts';
import type { InstallationKind } from '../platform/installation.ts';
import { connectionsOption, type CapabilitiesNow } from '../ui/capabilities.ts';
import { withHelperPath } from '../ui/helperProgram.ts';
import { t } from '../ui/texts.ts';
import { driverCommands, helperCommands, trustCommands, type Command, type Machine } from './commands.ts';

/** What there is to set up, in the order in which one thing needs the other. */
export const STEP_NAMES = ['access', 'helper', 'connections', 'trust', 'driver'] as const;
export type StepName = (typeof STEP_NAMES)[number];

/**
 * Done; needed, as nothing works without it; or optional: to be done now (`open`), after another step (`waits`), or not
 * on this machine (`unavailable`). `unknown` until somebody has told.
 */
export type StepState = 'done' | 'needed' | 'open' | 'waits' | 'unavailable' | 'unknown';

export interface Step {
  readonly name: StepName;
  readonly state: StepState;
  /** How things stand. */
  readonly text: string;
  /** Ways to do it in a terminal, of which one is enough; none where there is nothing to run. */
  readonly commands: readonly Command[];
  /** What comes after the command, or instead of one; empty when there is nothing to add. */
  readonly next: string;
}

/** What decides how the steps stand. */
export interface SetUpNow extends CapabilitiesNow {
  readonly hasAccess: boolean;
  readonly machine: Machine;
}

type Standing = Omit<Step, 'name'>;

/** Pure, but for the reader's language. */
export function stepsOf(now: SetUpNow): readonly Step[] {
  const standings: Readonly<Record<StepName, Standing>> = { access: access(now), helper: helper(now), connections: connections(now), trust: trust(now), driver: driver(now) };
  return STEP_NAMES.map((name) => ({ name, ...standings[name] }));
}

/** Which steps have been done between two looks, the first of which told of some; none before that. */
export function newlyDone(before: readonly Step[], after: readonly Step[]): readonly StepName[] {
  return after.filter(({ name, state }) => state === 'done' && before.some((step) => step.name === name && step.state !== 'done')).map(({ name }) => name);
}

/** Whether a look at the machine could show more than the last one: a command may have been run meanwhile. */
export function mayTurn(steps: readonly Step[]): boolean {
  return steps.some(({ name, state }) => (name === 'helper' || name === 'trust' || name === 'driver') && (state === 'open' || state === 'unknown'));
}

/** What all of it comes to. */
export function summaryOf(steps: readonly Step[], installation: InstallationKind): string {
  const is = (wanted: StepName, state: StepState): boolean => steps.some((step) => step.name === wanted && step.state === state);
  if (!is('access', 'done')) return t('welcomeSummaryAccess');
  if (installation !== 'store' || is('connections', 'done')) return t('welcomeSummaryReady');
  return is('helper', 'unavailable') ? t('welcomeSummaryRelay') : t('welcomeSummaryStore');
}

function access({ hasAccess }: SetUpNow): Standing {
  return hasAccess ? standing('done', t('welcomeAccessDone')) : standing('needed', t('welcomeAccessNeeded'));
}

function helper({ status, machine }: SetUpNow): Standing {
  if (status === null) return standing('unknown', t('noteNoAnswer'));
  if (status.misfit !== null) return misfit(status.misfit, machine);
  if (status.helper === 'connected') return standing('done', t('welcomeHelperDone'));
  if (isNotHere(status, machine)) return standing('unavailable', `${t('welcomeHelperNotHere')} ${status.hasGate ? t('welcomeWithoutHelper') : t('welcomeWithoutHelperAndGate')}`);
  if (status.helper === 'connecting') return standing('unknown', t('welcomeHelperLooking'));
  return standing('open', t('welcomeHelperAbsent'), helperCommands(machine), withHelperPath(t('welcomeHelperNext')));
}

/** Whether there can be no helper: the browser starts none, or none is made for this system. */
function isNotHere({ helper }: TabStatus, machine: Machine): boolean {
  return helper === 'notHere' || (helper === 'absent' && helperCommands(machine).length === 0);
}

/** The helper that runs stays what it is until its browser ends. */
function misfit({ kind, extension, helper }: HelperMisfit, machine: Machine): Standing {
  switch (kind) {
    case 'helperOlder':
      return standing('open', t('welcomeHelperOlder', helper, extension), helperCommands(machine), t('welcomeThenRestart'));
    case 'extensionOlder':
      return standing('open', t('welcomeExtensionOlder', extension, helper), [], t('welcomeExtensionOlderNext'));
    case 'protocol':
      return standing('open', t('welcomeProtocolMisfit'), [], t('welcomeProtocolMisfitNext'));
  }
}

function connections(now: SetUpNow): Standing {
  const lack = lackOfHelper(now);
  if (lack !== null) return lack;
  const { isOn, note } = connectionsOption(now);
  const way = now.status?.connections;
  // on and not needed is as good as in use: it comes into use by itself
  const isDone = isOn && (way === 'tunnel' || way === 'intercepted' || way === 'notNeeded');
  return standing(isDone ? 'done' : 'open', note === '' ? t('welcomeConnectionsOff') : note);
}

function trust(now: SetUpNow): Standing {
  const lack = lackOfHelper(now);
  if (lack !== null) return lack;
  const commands = trustCommands(now.machine);
  if (commands.length === 0) return standing('unavailable', t('welcomeNotHere'));
  switch (now.status?.trust) {
    case 'trusted':
      return standing('done', t('welcomeTrustDone'));
    case 'notTaken':
      return standing('open', t('welcomeTrustNotTaken'), [], withHelperPath(t('welcomeTrustNotTakenNext')));
    case 'none':
      return standing('open', t('welcomeTrustNone'), commands, t('welcomeTrustNext'));
    default:
      // it shows when the browser has gone by the helper once, which it does not begin with on a fast link
      return now.status?.connections === 'notNeeded' && now.connections ? standing('open', t('welcomeTrustHidden'), commands, t('welcomeTrustHiddenNext')) : standing('waits', t('welcomeAfterConnections'));
  }
}

function driver(now: SetUpNow): Standing {
  const lack = lackOfHelper(now);
  if (lack !== null) return lack;
  const report = now.status?.driver ?? null;
  if (report === null) return standing('unavailable', t('welcomeDriverUnknown'));
  if (report.state === 'good') return standing('done', t('welcomeDriverDone'));
  if (report.state === 'absent') return standing('open', t('welcomeDriverAbsent'), driverCommands(), t('welcomeDriverNext'));
  return standing('open', t('welcomeDriverFault', report.text), report.nextStep === null ? [] : [{ label: '', text: report.nextStep }]);
}

/** What needs a helper, as long as there is none; null when there is one. */
function lackOfHelper({ status, machine }: SetUpNow): Standing | null {
  if (status?.helper === 'connected') return null;
  if (status !== null && isNotHere(status, machine)) return standing('unavailable', t('noteNotHere'));
  return status?.helper === 'absent' ? standing('waits', t('welcomeAfterHelper')) : standing('unknown', t('welcomeHelperLooking'));
}

function standing(state: StepState, text: string, commands: readonly Command[] = [], next = ''): Standing {
  return { state, text, commands, next };
}
