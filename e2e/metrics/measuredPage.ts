import type { BrowserRequest, FrameInView, RequestEnd } from './artifacts.ts';
import type { Pointer } from './pointer.ts';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** A picture of the viewport as the browser drew it. */
export interface RawFrame {
  readonly wallMs: number;
  readonly jpeg: Buffer;
}

/** What has become of the browser's requests so far. */
export interface RequestStates {
  readonly ended: readonly RequestEnd[];
  /** URLs that it still waits for. */
  readonly open: ReadonlySet<string>;
}

/** What a browser tells of a load after it. */
export interface PageRecord {
  readonly layout: readonly FrameInView[];
  readonly frames: readonly RawFrame[];
  readonly browserRequests: readonly BrowserRequest[];
  readonly redirects: ReadonlyMap<string, string>;
  readonly screenshot: Buffer;
}

/** The page that is measured, whatever the browser. */
export interface MeasuredPage {
  readonly hasCrashed: boolean;
  /** Whether frames are pictures taken now and then, which tell progress but not when an object was painted. */
  readonly isSampled: boolean;
  /** What happens from here on is recorded, and nothing from before. */
  record(viewport: Viewport): Promise<void>;
  /** Resolves when the document has begun to arrive; rejects when it can not be opened. */
  navigate(url: string): Promise<void>;
  /** From here on its loads are reloads past the browser's cache. */
  passCacheBy(): Promise<void>;
  /** Of requests since `record`. A browser that does not tell has none. */
  requestStates(): RequestStates;
  readonly pointer: Pointer;
  /** The value of an expression in the main document, in a world of its own; rejects while there is none. */
  evaluate(expression: string): Promise<unknown>;
  finish(viewport: Viewport): Promise<PageRecord>;
}
