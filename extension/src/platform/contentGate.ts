import type { Placement } from '../../../shared/src/page/objects.ts';
import type { FetchUrgency } from '../../../shared/src/protocol/page.ts';

/** The gate's half inside the page: what a release takes there, and what the page must not see of a hold. */
export interface ContentGate {
  /** Reading computed styles may take at most this share of the main thread's time. */
  readonly styleScanShare: number;
  /** Whether an image can be preloaded: its request is let wait, not answered by something else. */
  readonly preloadsImages: boolean;
  /** The background script says that these URLs are held. */
  held(urls: readonly string[]): void;
  release(url: string, urgency: FetchUrgency): void;
  /** Requests of this document are being held, except those in `passed`, or not any more; a fetch takes `rttMs` at least. */
  holding(on: boolean, rttMs: number, passed: readonly string[]): void;
  /** Releases those of these that are held, without a plan: they were found to be in view. */
  releaseInView(placements: ReadonlyMap<string, Placement>): void;
  /** Fails open: releases everything that is held, and whatever comes later at once. */
  releaseAll(): void;
  /** As releaseAll, when the background script is gone: what was held lately has not been told. */
  abandoned(): void;
  /** URLs that are held or on the way: where they stand decides what goes next. */
  wanted(): ReadonlySet<string>;
  /** URLs of which no element has been seen: a style uses them, or an element that the parser has not reached. */
  unclaimed(): ReadonlySet<string>;
  /** Elements of the document were found to use this URL in a style. */
  usedInStyle(url: string): void;
}

export interface ContentGateHost {
  /** Something was held or arrived: the layout may have changed. */
  changed(): void;
  /** Where the first of these elements that is in view stands; null when none is, or the first layout is not there. */
  placementInView(elements: Iterable<Element>): Placement | null;
  /** Whether positions mean something yet. */
  isLaidOut(): boolean;
  /** These were released without a plan. */
  released(placements: ReadonlyMap<string, Placement>): void;
}
