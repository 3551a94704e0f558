import type { ConnectionsRefusal, ConnectionsStatus, TabStatus } from '../messages/status.ts';
import type { Settings } from '../settings/settings.ts';
import type { Sites } from '../settings/sites.ts';

/** What is known of a page before anybody is asked. */
export interface PageFacts {
  /** The browser lets no extension into it. */
  readonly isClosed: boolean;
  /** The user has switched Firstscreen off for its site. */
  readonly isOffHere: boolean;
  /** Of a private window or a container: the helper has no part in it. */
  readonly isPrivate: boolean;
}

export type PageStatus = Omit<TabStatus, 'driver'>;

/** What decides how Firstscreen stands to a page. */
export interface PageNow extends PageFacts, Pick<Settings, 'enabled' | 'connections'> {
  readonly hasAccess: boolean;
  /** Null while the background script has not answered. */
  readonly status: PageStatus | null;
}

/** How Firstscreen stands to a page: one of these, the first that fits (describe.test.ts has the table). */
export type Situation =
  /** It does nothing, for all pages, this one, this once, or for the moment. */
  | 'off' | 'noAccess' | 'closedPage' | 'offHere' | 'without' | 'comparing'
  /** It stands aside. */
  | 'starting' | 'fastLink' | 'answeredByWorker'
  /** Without a gate nothing is done but by the helper: why that does not either. */
  | 'privatePage' | 'helperSought' | 'connectionsOff' | 'paused' | ConnectionsRefusal
  /** It works. */
  | 'held' | 'ready' | 'carried' | 'carriedPlain' | 'relayed'
  /** It would. */
  | 'relaySilent';

/** By the address of the page that a tab shows; undefined where the browser does not tell, which it does of all pages of the web. */
export function factsOf(url: string | undefined, sites: Sites, isRestricted: (url: string) => boolean): Omit<PageFacts, 'isPrivate'> {
  const site = sites.pageSite(url ?? '');
  return { isClosed: site === null || isRestricted(url ?? ''), isOffHere: site?.isOff === true };
}

export function situationOf({ enabled, hasAccess, isClosed, isOffHere, isPrivate, connections, status }: PageNow): Situation {
  if (!enabled) return 'off';
  // before: without access nobody says what a tab shows
  if (!hasAccess) return 'noAccess';
  if (isClosed) return 'closedPage';
  if (isOffHere) return 'offHere';
  if (status === null) return 'starting';
  if (status.isWithout) return 'without';
  if (status.isComparing) return 'comparing';
  // what the data saver leaves is left on a fast link, too
  if (status.isLinkFast && status.left === 0) return 'fastLink';
  return status.hasGate ? withGate(isPrivate, status) : withoutGate(isPrivate, connections, status);
}

/** Of pages of the web: whether Firstscreen may have had a part in how the page came, so that it is worth loading it without. */
export function mayHavePart(now: PageNow): boolean {
  return HAVING_PART.has(situationOf(now)) && (now.status?.hasGate === true || now.connections || now.status?.relay === 'inUse');
}

/** On a fast link, too: it may have been taken for a slow one when the page was loaded. */
const HAVING_PART: ReadonlySet<Situation> = new Set(['held', 'ready', 'carried', 'carriedPlain', 'relayed', 'answeredByWorker', 'fastLink']);

function withGate(isPrivate: boolean, { held, isAnsweredByWorker, connections }: PageStatus): Situation {
  if (held > 0) return 'held';
  if (connections === 'intercepted' && !isPrivate) return 'carried';
  return isAnsweredByWorker ? 'answeredByWorker' : 'ready';
}

const BY_HELPER: Readonly<Record<ConnectionsStatus, Situation>> = {
  intercepted: 'carried', tunnel: 'carriedPlain', browser: 'starting', notNeeded: 'fastLink', paused: 'paused',
  noHelper: 'noHelper', notHere: 'notHere', oldHelper: 'oldHelper', otherProxy: 'otherProxy', helperRefused: 'helperRefused', browserRefused: 'browserRefused',
};

function withoutGate(isPrivate: boolean, isWanted: boolean, { helper, connections, relay }: PageStatus): Situation {
  if (isPrivate) return 'privatePage';
  if (relay === 'inUse') return 'relayed';
  if (relay === 'silent') return 'relaySilent';
  if (relay === 'paused') return 'paused';
  if (helper === 'connecting') return 'helperSought';
  if (helper === 'connected' && !isWanted) return 'connectionsOff';
  return BY_HELPER[connections];
}
