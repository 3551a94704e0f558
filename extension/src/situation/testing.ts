import type { TabStatus } from '../messages/status.ts';
import { STATUS } from '../messages/testing.ts';
import type { PageNow, Situation } from './situation.ts';

/** For tests: a page of the web in a browser with a gate. */
export const PAGE: PageNow = { enabled: true, connections: false, hasAccess: true, isClosed: false, isOffHere: false, isPrivate: false, status: STATUS };

export function withStatus(status: Partial<TabStatus>, change: Partial<PageNow> = {}): PageNow {
  return { ...PAGE, status: { ...STATUS, ...status }, ...change };
}

/** Chromium from a store. */
export function gateless(status: Partial<TabStatus>, change: Partial<PageNow> = {}): PageNow {
  return withStatus({ hasGate: false, ...status }, { connections: true, ...change });
}

/** A page in each. */
export const SITUATIONS: Readonly<Record<Situation, PageNow>> = {
  off: { ...PAGE, enabled: false },
  noAccess: { ...PAGE, hasAccess: false, isClosed: true },
  closedPage: { ...PAGE, isClosed: true },
  offHere: { ...PAGE, isOffHere: true },
  without: withStatus({ isWithout: true }),
  comparing: withStatus({ isComparing: true }),
  starting: { ...PAGE, status: null },
  fastLink: withStatus({ isLinkFast: true }),
  answeredByWorker: withStatus({ isAnsweredByWorker: true }),
  privatePage: gateless({ connections: 'intercepted' }, { isPrivate: true }),
  helperSought: gateless({ helper: 'connecting', connections: 'noHelper' }),
  connectionsOff: gateless({}, { connections: false }),
  paused: gateless({ connections: 'paused' }),
  noHelper: gateless({ helper: 'absent', connections: 'noHelper' }),
  notHere: gateless({ helper: 'notHere', connections: 'notHere' }),
  oldHelper: gateless({ connections: 'oldHelper' }),
  otherProxy: gateless({ connections: 'otherProxy' }),
  helperRefused: gateless({ connections: 'helperRefused' }),
  browserRefused: gateless({ connections: 'browserRefused' }),
  held: withStatus({ held: 1 }),
  ready: PAGE,
  carried: gateless({ connections: 'intercepted' }),
  relayed: gateless({ helper: 'absent', connections: 'noHelper', relay: 'inUse' }),
  relaySilent: gateless({ helper: 'absent', connections: 'noHelper', relay: 'silent' }),
  carriedPlain: gateless({ connections: 'tunnel' }),
};
