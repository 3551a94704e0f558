import type { FakeExtension } from './fakeExtension.ts';
import type { Step } from './screenPage.ts';

export const SCHEMES = ['light', 'dark'] as const;

/** How a page is looked at. */
export interface Look {
  readonly scheme: (typeof SCHEMES)[number];
  /** Device pixels for a CSS pixel. */
  readonly scale: 1 | 2;
  /** Whether the system's few colours stand in the place of the page's (CSS `forced-colors`). Chromium only. */
  readonly hasForcedColors?: boolean;
}

/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A page that is open, whatever drives its browser. */
export interface OpenPage {
  goto(url: string): Promise<void>;
  /** Runs a function in the page; it refers to nothing outside itself. */
  evaluate<A, R>(run: (argument: A) => R, argument: A): Promise<Awaited<R>>;
  /** Runs the text of a script in the page. */
  run(script: string): Promise<unknown>;
  act(step: Step): Promise<void>;
  resize(size: Size): Promise<void>;
  /** PNG of what is seen. */
  picture(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A browser in which pages of the extension are looked at. */
export interface Stage {
  readonly browser: 'chromium' | 'firefox';
  /** A blank page, in whose documents the extension's API will be. */
  openPage(look: Look, size: Size, fake: FakeExtension): Promise<OpenPage>;
  close(): Promise<void>;
}
