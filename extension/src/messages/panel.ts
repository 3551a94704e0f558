import type { DriverReport } from '../../../shared/src/protocol/driverReportSchema.ts';
import type { ContentMessage } from '../../../shared/src/protocol/contentSchema.ts';
import type { HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import type { TabStatus } from './status.ts';

/** The port of a panel of the developer tools. */
export const PANEL_PORT = 'panel';

/** What a panel says: first of all, and when it begins or ends to record. */
export interface PanelWish {
  readonly type: 'watch';
  readonly tabId: number;
  readonly isRecording: boolean;
}

/** What the page's own document says of itself. */
export type PageNews = Extract<ContentMessage, { readonly type: 'layout' | 'timing' | 'inspected' | 'shown' }>;

/** An image was held by the gate, or let go; by the wall clock. */
export interface GateEvent {
  readonly atMs: number;
  readonly url: string;
  readonly isHeld: boolean;
}

/** The access link as it is estimated; by the wall clock. */
export interface LinkSample {
  readonly atMs: number;
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
  /** Whether the rate was measured, and is not taken from a former time or assumed. */
  readonly isMeasured: boolean;
}

/** How the extension stands to the page now. */
export interface HelpState {
  /** Whether requests of pages are ordered at all, by the gate or the helper. */
  readonly isHelping: boolean;
  readonly helper: TabStatus['helper'];
  /** Whether the helper can tell the ways of requests. */
  readonly canRecord: boolean;
  readonly connections: TabStatus['connections'];
  /** Null where no helper could tell. */
  readonly driver: DriverReport | null;
}

/** What a panel is told of its tab; of the helper's requests those of all tabs. */
export type PanelNews =
  | PageNews
  | { readonly type: 'gate'; readonly events: readonly GateEvent[] }
  | { readonly type: 'link'; readonly link: LinkSample }
  | { readonly type: 'requests'; readonly requests: HelperMessageOf<'requests'>['payload'] }
  | { readonly type: 'state'; readonly state: HelpState };
