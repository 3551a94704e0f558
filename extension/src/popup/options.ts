import type { ConnectionsRefusal, TabStatus } from '../messages/status.ts';
import type { PopupState } from './describe.ts';

/** A switch for something that the helper does. */
export interface Option {
  readonly isOn: boolean;
  /** It can not be switched on now. What is on can always be switched off. */
  readonly isLocked: boolean;
  /** How things stand, or why it is locked; empty when there is nothing to add. */
  readonly note: string;
}

type Standing = TabStatus['memory' | 'connections'];

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
const WAYS: Readonly<Record<Exclude<Standing, ConnectionsRefusal>, string>> = {
  available: '',
  browser: 'Starting.',
  notNeeded: 'Not in use while your connection is this fast.',
  tunnel: 'In use; encrypted connections pass through it closed.',
  intercepted: 'In use, for encrypted connections too.',
};

/** With the switch for the next page on. */
const NEXT_PAGE_WAYS: typeof WAYS = { ...WAYS, tunnel: 'In use; for encrypted pages connections are opened, and nothing is fetched.', intercepted: 'In use.' };

export function rememberOption({ enabled, remember, status }: PopupState): Option {
  return optionOf(remember, enabled, status?.memory);
}

export function connectionsOption({ enabled, connections, status }: PopupState): Option {
  return optionOf(connections, enabled, status?.connections);
}

/** It goes by the helper's connections, and says how far they reach. */
export function nextPageOption({ enabled, connections, nextPage, status }: PopupState): Option {
  const lack = status?.nextPage;
  if (enabled && lack === 'available' && !connections) return { isOn: nextPage, isLocked: !nextPage, note: "Needs the helper's connections." };
  return optionOf(nextPage, enabled, lack === 'available' ? status?.connections : lack, NEXT_PAGE_WAYS);
}

/** @param now how it stands, undefined while nobody has said */
function optionOf(isOn: boolean, isEnabled: boolean, now: Standing | undefined, ways = WAYS): Option {
  const refusal = !isEnabled ? OFF : now === undefined ? NO_ANSWER : now in REFUSALS ? REFUSALS[now as ConnectionsRefusal] : null;
  return { isOn, isLocked: refusal !== null && !isOn, note: refusal ?? (isOn ? ways[now as keyof typeof ways] : '') };
}
