import type { ConnectionsRefusal, RelayStatus, TabStatus } from '../messages/status.ts';
import type { Settings } from '../settings/settings.ts';
import { t } from './texts.ts';

/** What decides how the switches stand. */
export interface CapabilitiesNow extends Settings {
  /** Null while the background script has not answered. */
  readonly status: TabStatus | null;
}

/** A switch for something that not every browser lets Firstscreen do, or that the helper does. */
export interface Option {
  readonly isOn: boolean;
  /** It can not be switched on now. What is on can always be switched off. */
  readonly isLocked: boolean;
  /** How things stand, or why it is locked; empty when there is nothing to add. */
  readonly note: string;
}

type Standing = TabStatus['memory' | 'connections'];
/** With the switch on. */
type Ways = Readonly<Record<Exclude<Standing, ConnectionsRefusal>, () => string>>;

const REFUSALS: Readonly<Record<ConnectionsRefusal, () => string>> = {
  noHelper: () => t('noteNoHelper'),
  notHere: () => t('noteNotHere'),
  oldHelper: () => t('noteOldHelper'),
  otherProxy: () => t('noteOtherProxy'),
  helperRefused: () => t('noteHelperRefused'),
  browserRefused: () => t('noteBrowserRefused'),
};

const WAYS: Ways = {
  available: () => '',
  browser: () => t('noteStarting'),
  notNeeded: () => t('noteNotNeeded'),
  paused: () => t('notePaused'),
  tunnel: () => t('noteTunnel'),
  intercepted: () => t('noteIntercepted'),
};

/** With the switch for the next page on. */
const NEXT_PAGE_WAYS: Ways = { ...WAYS, tunnel: () => t('noteNextPageTunnel'), intercepted: () => t('noteInUse') };

export function rememberOption({ enabled, remember, status }: CapabilitiesNow): Option {
  return optionOf(remember, enabled, status?.memory);
}

export function connectionsOption({ enabled, connections, status }: CapabilitiesNow): Option {
  return optionOf(connections, enabled, status?.connections);
}

/** It goes by the helper's connections, and says how far they reach. */
export function nextPageOption({ enabled, connections, nextPage, status }: CapabilitiesNow): Option {
  if (!enabled || status?.nextPage !== 'available') return optionOf(nextPage, enabled, status?.nextPage);
  // why these are not there their own switch says
  if (!connections || status.connections in REFUSALS) return { isOn: nextPage, isLocked: !nextPage, note: t('noteNeedsConnections') };
  return optionOf(nextPage, enabled, status.connections, NEXT_PAGE_WAYS);
}

/** The gate alone can do it. */
export function dataSaverOption({ enabled, dataSaver, status }: CapabilitiesNow): Option {
  const refusal = !enabled ? t('noteOff') : status === null ? t('noteNoAnswer') : status.hasGate ? '' : t('noteNeedsGate');
  return { isOn: dataSaver, isLocked: refusal !== '' && !dataSaver, note: refusal };
}

const RELAY_WAYS: Readonly<Record<RelayStatus, () => string>> = {
  none: () => '',
  starting: () => t('noteStarting'),
  helper: () => t('noteRelayHelper'),
  notNeeded: () => t('noteNotNeeded'),
  paused: () => t('notePaused'),
  otherProxy: () => t('noteOtherProxy'),
  silent: () => t('relaySilent'),
  inUse: () => t('noteInUse'),
};

/** @param hasLink whether there is a relay to use */
export function relayOption({ enabled, relay, status }: CapabilitiesNow, hasLink: boolean): Option {
  const refusal = !enabled ? t('noteOff') : status === null ? t('noteNoAnswer') : hasLink ? null : t('noteNoRelay');
  return { isOn: relay && hasLink, isLocked: refusal !== null && !relay, note: refusal ?? (relay ? RELAY_WAYS[status?.relay ?? 'none']() : '') };
}

/** @param now how it stands, undefined while nobody has said */
function optionOf(isOn: boolean, isEnabled: boolean, now: Standing | undefined, ways = WAYS): Option {
  const refusal = !isEnabled ? t('noteOff') : now === undefined ? t('noteNoAnswer') : now in REFUSALS ? REFUSALS[now as ConnectionsRefusal]() : null;
  return { isOn, isLocked: refusal !== null && !isOn, note: refusal ?? (isOn ? ways[now as keyof typeof ways]() : '') };
}
