import type { VoidReason } from '../../../shared/src/protocol/firstScreenTimingSchema.ts';

/** The port of the page that measures. */
export const MEASURING_PORT = 'measuring';

/** Pairs that may be asked for; each is one load with Firstscreen and one without. */
export const MAX_PAIRS = 50;

export const SIDES = ['with', 'without'] as const;
export type Side = (typeof SIDES)[number];

/** What the helper may know of the page: nothing, or what its memory has of earlier visits. */
export const VISITS = ['first', 'second'] as const;
export type VisitKind = (typeof VISITS)[number];

export interface MeasuringOptions {
  readonly pairs: number;
  readonly visit: VisitKind;
  /** Whether each load begins without connections, as a first visit does; else it is a reload over those of the load before. */
  readonly isCold: boolean;
}

/** Pair 0 makes names known, and counts for nothing. */
export interface PlannedLoad {
  readonly pair: number;
  readonly side: Side;
}

interface MadeLoad extends PlannedLoad {
  /** From 1, in order. */
  readonly load: number;
}

export interface CountedLoad extends MadeLoad {
  readonly isrtMs: number;
  readonly fcpMs: number | null;
  readonly lcpMs: number | null;
  /** Until then. */
  readonly carried: CarriedBytes;
}

/** What the link has carried, as far as servers and browser tell. */
export interface CarriedBytes {
  /** Of what the first screen needed. */
  readonly neededBytes: number;
  readonly otherBytes: number;
}

/**
 * Why a load counts for nothing, beside what its page tells: it was to make names known; nothing was said in time; the
 * page led elsewhere; it could not be loaded; connections of before could not be closed; another tab used the network;
 * the side was not in force; the browser ended the background script; or all was ended.
 */
export const DROP_REASONS = ['first', 'timeout', 'redirected', 'failed', 'warm', 'otherTraffic', 'notInForce', 'scriptEnded', 'ended'] as const;
export type DropReason = VoidReason | (typeof DROP_REASONS)[number];

export interface DroppedLoad extends MadeLoad {
  readonly reason: DropReason;
}

/**
 * How a measurement ended: as planned; by the user, who cancelled it, closed its tab or changed settings; because the
 * network was another one, never came to rest, or the time was over; because nothing could be loaded, as Firstscreen or
 * the tab was not ready; or because the page can not be measured.
 */
export const END_REASONS = ['complete', 'cancelled', 'tabClosed', 'settingsChanged', 'networkChanged', 'noRest', 'timeLimit', 'posted', 'notBegun', 'unmeasurable'] as const;
export type EndReason = (typeof END_REASONS)[number];

interface AtLoad {
  /** In the plan. */
  readonly place: number;
  /** From 1. */
  readonly attempt: number;
  readonly sinceMs: number;
}

/**
 * What a measurement is at: its tab is opened, the side of a load is brought into force, the network comes to rest, the
 * page loads; it asks whether the bytes may be spent; it is over.
 */
export type Phase =
  | { readonly name: 'opening'; readonly sinceMs: number }
  | ({ readonly name: 'preparing' } & AtLoad)
  | ({ readonly name: 'resting' } & AtLoad)
  | ({ readonly name: 'loading' } & AtLoad)
  | ({ readonly name: 'asking' } & AtLoad)
  | { readonly name: 'ended'; readonly why: EndReason };

/** All that is known of one measurement; times by the wall clock. */
export interface Measurement {
  readonly url: string;
  readonly options: MeasuringOptions;
  /** Whether it asks, after its first load, before it goes on: bytes cost. */
  readonly asks: boolean;
  readonly startedMs: number;
  /** For so long of that it has waited for the user, to agree or to bring its tab to the front. */
  readonly waitedMs: number;
  readonly plan: readonly PlannedLoad[];
  readonly phase: Phase;
  /** Its own; null before it is there. */
  readonly tabId: number | null;
  /** Whether the tab can be seen; a browser paints nothing where nobody looks. */
  readonly isSeen: boolean;
  /** Number of the last load that was begun. */
  readonly load: number;
  /** Of the last load, as far as the browser tells; null before. */
  readonly bytesPerLoad: number | null;
  readonly counted: readonly CountedLoad[];
  readonly dropped: readonly DroppedLoad[];
}

/**
 * Why nothing is measured: the page is none of the web, is in a private window or a container, or was made by sending a
 * form; Firstscreen is off, for all or for its site, has no access, or is out of the way as a page is loaded without it once; something is being measured; or bytes cost and the user has not agreed.
 */
export const REFUSALS = ['notWeb', 'private', 'posted', 'off', 'siteOff', 'noAccess', 'paused', 'running', 'metered'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What the measuring page says. */
export type MeasuringRequest =
  /** Says which tab's page is meant. */
  | { readonly type: 'look'; readonly tabId: number }
  | { readonly type: 'start'; readonly tabId: number; readonly options: MeasuringOptions; readonly maySpend: boolean }
  /** The bytes may be spent. */
  | { readonly type: 'goOn' }
  | { readonly type: 'cancel' };

/** The page that could be measured. */
export interface Subject {
  readonly host: string;
  readonly refusal: Refusal | null;
  readonly isMetered: boolean;
  /** Whether Firstscreen does something for pages now: not on a fast link. */
  readonly isHelped: boolean;
  /** Whether loads can begin without connections. */
  readonly canBeginCold: boolean;
  /** Whether the helper remembers pages, so that a second visit can be measured. */
  readonly hasMemory: boolean;
}

/** What the background script says to it. */
export type MeasuringNews = { readonly type: 'subject'; readonly subject: Subject } | { readonly type: 'measurement'; readonly measurement: Measurement | null };
