import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { Misfit, Releases } from '../../../shared/src/protocol/releaseFit.ts';

/** The popup's port: each message on it says that the popup's question may have another answer now. */
export const STATUS_PORT = 'status';

/** For a status of no page. */
export const NO_TAB = -1;

/** What the popup asks the background script. */
export type PopupQuestion =
  | { readonly type: 'status'; readonly tabId: number }
  /** Load the page of this tab anew, once without Firstscreen. */
  | { readonly type: 'loadWithout'; readonly tabId: number };

/** The answer to each question. */
export interface PopupAnswers {
  readonly status: TabStatus;
  /** Whether the tab is being loaded. */
  readonly loadWithout: boolean;
}

/** What the popup shows of a tab's page; objects are images. */
export interface TabStatus {
  /** Were held, since the page began. */
  readonly held: number;
  /** Of these, were let go. */
  readonly released: number;
  /** Of these, stood in view when they were let go. */
  readonly inView: number;
  /** Of those that were held, are left by the data saver until somebody comes near them. */
  readonly left: number;
  /** Whether the page is loaded without Firstscreen, this once. */
  readonly isWithout: boolean;
  /** Whether all pages are loaded without Firstscreen now, so that first screens with and without it can be compared. */
  readonly isComparing: boolean;
  /** Whether a service worker of the page's own answers what it asks for: then nothing is held. */
  readonly isAnsweredByWorker: boolean;
  /** Whether this browser lets the extension hold images. */
  readonly hasGate: boolean;
  /** Whether the link is so fast that pages are left alone. */
  readonly isLinkFast: boolean;
  readonly link: LinkNow;
  /** `notHere`: there is none for this device. */
  readonly helper: 'connecting' | 'connected' | 'absent' | 'notHere';
  /** Null where extension and helper are of releases that fit, or there is no helper. */
  readonly misfit: HelperMisfit | null;
  /** Of the setting `remember`. */
  readonly memory: 'available' | HelperLack;
  /** Of the setting `nextPage`. */
  readonly nextPage: 'available' | HelperLack;
  readonly connections: ConnectionsStatus;
  readonly relay: RelayStatus;
  readonly trust: TrustStatus;
  /** Null where no helper could tell. */
  readonly driver: DriverReport | null;
}

/** The access link as it is estimated. */
export interface LinkNow {
  readonly rateBitsPerSecond: number;
  /** Whether the rate is of what has come lately, and not taken from a former time or assumed. */
  readonly isRateMeasured: boolean;
  readonly rttMs: number;
  /** The same of the round trip. */
  readonly isRttMeasured: boolean;
}

/** How a helper does not fit, with both versions. */
export interface HelperMisfit extends Releases {
  readonly kind: Misfit;
}

/** Why the helper can not do something: there is none, none for this device, or it is too old. */
export type HelperLack = 'noHelper' | 'notHere' | 'oldHelper';

/**
 * Why requests can not go by the helper: besides, somebody else (the user, a policy, another extension) says where
 * requests go, or one of the two did not do it when asked.
 */
export type ConnectionsRefusal = HelperLack | 'otherProxy' | 'helperRefused' | 'browserRefused';

/**
 * Whether this browser lets the helper open encrypted connections: the user has made no authority for that, this browser
 * does not take its certificates, or it does. Unknown until the helper that is there has carried requests once.
 */
export type TrustStatus = 'unknown' | 'none' | 'notTaken' | 'trusted';

/**
 * Of the setting `connections`, as it is, whatever is wanted: requests go by the browser itself, also because the link
 * is too fast to need more, or while some page is loaded without Firstscreen; by the helper with encrypted connections
 * closed to it, or by the helper that the browser trusts with those too.
 */
export type ConnectionsStatus = 'browser' | 'notNeeded' | 'paused' | 'tunnel' | 'intercepted' | ConnectionsRefusal;

/**
 * Of the setting `relay`: off, or without a link; where it is on, not in use as there is a helper, as the link is too fast to need it, as some page is loaded without Firstscreen, as somebody else says where requests go,
 * or as it does not answer; or in use.
 */
export type RelayStatus = 'none' | 'starting' | 'helper' | 'notNeeded' | 'paused' | 'otherProxy' | 'silent' | 'inUse';
