import type { FetchClass } from '../fetching/fetchObject.ts';

/** From this moment on an object is known to be this. */
export interface Step {
  readonly atMs: number;
  readonly fetchClass: FetchClass;
  readonly isAwaited: boolean;
}

/** An object of a page load, and what the scheduler is told of it when. */
export interface TracedObject {
  readonly origin: string;
  /** Of its body. */
  readonly bytes: number;
  /** What is expected before its answer says so. */
  readonly expectedBytes: number;
  readonly hidesLength?: boolean;
  readonly thinkMs?: number;
  /** Whether the first screen shows it, whatever was known of it. */
  readonly isNeeded: boolean;
  /** What is known of it, from the first moment on; one at least, in the order of time. */
  readonly steps: readonly Step[];
}

/** When each object of a load became known to the scheduler, in the order of the document. */
export interface LoadTrace {
  readonly name: string;
  /** When connections to servers are prepared, before anything is to be asked on them. */
  readonly prepared: readonly { readonly origin: string; readonly atMs: number }[];
  readonly objects: readonly TracedObject[];
}
