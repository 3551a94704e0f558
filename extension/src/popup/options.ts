import type { ConnectionsRefusal, ConnectionsStatus } from '../messages/status.ts';
import type { PopupState } from './describe.ts';

/** A switch for something that the helper does. */
export interface Option {
  readonly isOn: boolean;
  /** It can not be switched on now. What is on can always be switched off. */
  readonly isLocked: boolean;
  /** How things stand, or why it is locked; empty when there is nothing to add. */
  readonly note: string;
}

const OFF = 'Firstscreen is off.';
const NO_ANSWER = 'Waiting for the extension to start.';

const REFUSALS: Readonly<Record<ConnectionsRefusal, string>> = {
  noHelper: 'Needs the helper.',
  oldHelper: 'Needs a newer helper than the one installed.',
  otherProxy: 'Not with the proxy that you, a policy or another extension has set in this browser.',
  helperRefused: 'The helper did not take them. Is there a proxy on this machine?',
  browserRefused: 'This browser did not let Firstscreen do it.',
};

/** With the switch on. */
const WAYS: Readonly<Record<Exclude<ConnectionsStatus['state'], 'refused'>, string>> = {
  browser: 'Starting.',
  notNeeded: 'Not in use while your connection is this fast.',
  tunnel: 'In use; encrypted connections pass through it closed.',
  intercepted: 'In use, for encrypted connections too.',
};

export function rememberOption({ enabled, remember, status }: PopupState): Option {
  if (!enabled) return refused(remember, OFF);
  if (status === null) return refused(remember, NO_ANSWER);
  return status.memory.state === 'refused' ? refused(remember, REFUSALS[status.memory.reason]) : { isOn: remember, isLocked: false, note: '' };
}

export function connectionsOption({ enabled, connections: isOn, status }: PopupState): Option {
  if (!enabled) return refused(isOn, OFF);
  if (status === null) return refused(isOn, NO_ANSWER);
  const { connections: now } = status;
  if (now.state === 'refused') return refused(isOn, REFUSALS[now.reason]);
  return { isOn, isLocked: false, note: isOn ? WAYS[now.state] : '' };
}

function refused(isOn: boolean, note: string): Option {
  return { isOn, isLocked: !isOn, note };
}
