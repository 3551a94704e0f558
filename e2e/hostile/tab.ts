import type { BrowserName } from './mode.ts';
import type { HostKind } from './place.ts';

/** A tab of either browser, as a case uses it. */
export interface Tab {
  /** Requests that have failed without an answer. */
  readonly failures: readonly Failure[];
  /** Goes there. @returns when the document has begun, `ok`, or the browser's code of the error */
  open(url: string): Promise<string>;
  /** Runs a function in the page; it may use nothing from outside itself. */
  evaluate<R>(run: () => R | Promise<R>): Promise<R>;
  /** What the page's script has told with `finish`, once it has. */
  finished(): Promise<unknown>;
  goBack(): Promise<void>;
  reload(): Promise<void>;
  /** Has the page see the visitor's click. */
  click(selector: string): Promise<void>;
  /** The page as it would be printed, in bytes; Chromium only. */
  print(): Promise<number>;
  close(): Promise<void>;
}

export interface Failure {
  readonly url: string;
  /** The browser's code of the error. */
  readonly code: string;
}

/** What a case may do beside its tab. */
export interface VisitTools {
  readonly browser: BrowserName;
  readonly url: (path: string, kind?: HostKind, scheme?: 'http' | 'https') => string;
  readonly newTab: () => Promise<Tab>;
  /** A tab that shares nothing with the others: a private window; in Firefox a container. */
  readonly newPrivateTab: () => Promise<Tab>;
  /** Resolves when a server of the case was asked for the path. */
  readonly asked: (path: string) => Promise<void>;
  /** Answers of paths that match wait from now on, until `letGo`. */
  readonly hold: (path: string) => void;
  readonly letGo: () => void;
  /** Stops the extension's worker, as the browser does after half a minute without an event. Nothing in stock. */
  readonly stopWorker: () => Promise<void>;
  /** Ends the helper. Nothing where there is none. */
  readonly killHelper: () => void;
  /** Stops the helper's process for a while: what it sees is a machine that slept. Nothing where there is none. */
  readonly freezeHelper: (forMs: number) => Promise<void>;
  readonly network: Network;
  /** The `rebind` host of the case leads to this machine from now on. */
  readonly rebind: () => void;
}

export interface Network {
  down(): void;
  up(): void;
  changeAddress(): void;
}
