import type { Rect } from '../../shared/src/page/geometry.ts';
import type { AskedName, Flow, LinkReport, ServedRequest } from './testbed.ts';

/** What an in-view image is for. */
export type ImageKind = 'image' | 'background' | 'poster' | 'svg' | 'input';

/** A picture that the final layout shows in the first viewport. `rect`: its visible part, in CSS pixels of the viewport. */
export interface NeededImage {
  readonly url: string;
  readonly kind: ImageKind;
  readonly rect: Rect;
}

/** What one document in view says about itself after the load. Times in ms since the epoch. */
export interface FrameLayout {
  readonly url: string;
  readonly timeOriginMs: number;
  /** null while the document is still being parsed. */
  readonly domContentLoadedMs: number | null;
  readonly images: readonly NeededImage[];
  /** Style sheets whose media do not match or that are disabled: loaded, but not applied. */
  readonly unusedStyleSheets: readonly string[];
}

export interface FrameInView extends FrameLayout {
  readonly frameId: string;
}

/** A request as the browser announced it: kind and cause. */
export interface BrowserRequest {
  readonly url: string;
  readonly frameId: string | null;
  /** As Playwright and puppeteer name it: document, stylesheet, script, image, font, ... */
  readonly type: string;
  /** Who asked for it, as far as the browser says; the document when nobody is named. */
  readonly initiatorUrl: string | null;
}

/** The browser has all of an answer, or has let go of it by its own will. CLOCK_MONOTONIC ms. Several of a request are possible: the first one counts. */
export interface RequestEnd {
  readonly url: string;
  readonly atMs: number;
}

/** A screencast frame; time in ms after navigation start. */
export interface Frame {
  readonly atMs: number;
  readonly jpeg: Buffer;
}

/** What had come before a load in the same browser; nothing at the browser's first one. */
export interface Earlier {
  /** URLs that had arrived whole: the browser may have them still. */
  readonly kept: ReadonlySet<string>;
  /** IP bytes, counted in the load's record of the link, that came before it. */
  readonly deliveredBytes: number;
}

/** All that one load left behind: the analysis needs nothing else. Times are CLOCK_MONOTONIC ms unless named otherwise. */
export interface Artifacts {
  readonly navigationStartMs: number;
  readonly earlier: Earlier;
  readonly frames: readonly Frame[];
  /** Frames are pictures taken now and then: when an object was painted can not be told from them. */
  readonly isSampled: boolean;
  readonly layout: readonly FrameInView[];
  /** domContentLoaded of each frame in view on the monotonic clock. */
  readonly domContentLoadedMs: ReadonlyMap<string, number>;
  readonly browserRequests: readonly BrowserRequest[];
  /** In no order. */
  readonly requestEnds: readonly RequestEnd[];
  /** URL to the URL it was redirected to, as the browser followed it. */
  readonly redirects: ReadonlyMap<string, string>;
  /** Since the end of the load before in a journey: what is fetched while a page is read belongs to the next one. */
  readonly served: readonly ServedRequest[];
  /** Questions for hosts' addresses; of a journey since its beginning. */
  readonly names: readonly AskedName[];
  /** As `link`, since the beginning of a journey: its connections stay open. */
  readonly flows: readonly Flow[];
  readonly link: LinkReport;
  /** Full-resolution picture of the first viewport at the end. */
  readonly screenshot: Buffer;
}
