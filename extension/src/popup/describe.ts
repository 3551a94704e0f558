import type { TabStatus } from '../messages/status.ts';
import type { Settings } from '../settings/settings.ts';

export interface PopupState extends Pick<Settings, 'enabled' | 'remember' | 'connections'> {
  readonly hasAccess: boolean;
  /** Null while the background script has not answered, and for tabs that are no web page. */
  readonly status: TabStatus | null;
}

/**
 * What the popup says: a headline, a line below it, and the parts of what was held (null when there is nothing to
 * count).
 */
export interface Description {
  readonly headline: string;
  readonly detail: string;
  readonly parts: Parts | null;
  readonly helper: HelperLine | null;
}

/** They add up to all that was held. */
export interface Parts {
  readonly inView: number;
  readonly other: number;
  readonly waiting: number;
}

export interface HelperLine {
  readonly state: TabStatus['helper'];
  readonly text: string;
  /** A command for the user to run; null when there is nothing to do. */
  readonly nextStep: string | null;
}

const NO_HELPER: HelperLine = { state: 'absent', text: 'In this browser Firstscreen needs its helper', nextStep: 'firstscreen-helper install' };
const HELPER_LINES: Readonly<Record<Exclude<TabStatus['helper'], 'absent'>, HelperLine>> = {
  connected: { state: 'connected', text: 'Helper connected', nextStep: null },
  connecting: { state: 'connecting', text: 'Looking for the helper', nextStep: null },
};

export function describe({ enabled, hasAccess, status }: PopupState): Description {
  const helper = status === null ? null : helperLine(status);
  const plain = (headline: string, detail: string): Description => ({ headline, detail, parts: null, helper });
  if (!enabled) return plain('Off', 'Pages load as they do without Firstscreen.');
  if (!hasAccess) return plain('No access to websites', 'Until you allow it, pages load as they do without Firstscreen.');
  if (status === null) return plain('Starting', '');
  if (status.isLinkFast) return plain('Not needed now', 'Your connection is fast: pages load as they do without Firstscreen.');
  if (status.held === 0) return plain(...idle(status));
  const waiting = status.held - status.released;
  return {
    headline: `${images(status.held)} held, ${status.released} released`,
    detail: waiting > 0 ? 'What is in view goes first.' : 'All images are on their way or here.',
    parts: { inView: status.inView, other: status.released - status.inView, waiting },
    helper,
  };
}

/** Nothing is held. */
function idle({ connections, hasGate }: TabStatus): [string, string] {
  if (connections.state === 'intercepted') return ['The helper puts requests in order', 'What is in view goes first.'];
  if (hasGate) return ['Nothing held on this page', 'Images that load from now on are put in order.'];
  if (connections.state === 'tunnel') return ['The helper puts plain requests in order', 'Encrypted ones stay closed to it.'];
  return ['Nothing is put in order', "In this browser that takes the helper's connections."];
}

/** The helper is optional where the extension itself can hold images. */
function helperLine({ helper, hasGate }: TabStatus): HelperLine | null {
  if (helper !== 'absent') return HELPER_LINES[helper];
  return hasGate ? null : NO_HELPER;
}

function images(count: number): string {
  return count === 1 ? '1 image' : `${count} images`;
}
