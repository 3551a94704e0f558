import * as v from 'valibot';
import type { LinkReport } from '../../metrics/testbed.ts';
import type { ProxyBenchOptions } from './options.ts';
import type { Way } from './ways.ts';

/** One round of small requests on one way. */
export interface SmallRound {
  readonly kind: string;
  readonly way: Way;
  readonly run: number;
  readonly requests: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly perSecond: number;
  /** Of the proxy's process, user and kernel, a request; null where there is none. */
  readonly processorMs: number | null;
}

/** The large body once, with a reader that takes it as it comes. */
export interface BodyRound {
  readonly way: Way;
  readonly run: number;
  readonly bytes: number;
  readonly ms: number;
  readonly processorMs: number | null;
  readonly peakBytes: number | null;
}

/** The large body once through a fresh process, with a reader that stops after the first bytes. */
export interface MemoryRound {
  readonly way: Way;
  readonly run: number;
  /** Resident before the request. */
  readonly idleBytes: number;
  /** Resident at most, after everything. */
  readonly peakBytes: number;
  /** What the server had got rid of when the reader went on. */
  readonly takenBytes: number;
  readonly ms: number;
}

/** One reader that stops, over the link. */
export const ReaderRun = v.object({
  way: v.picklist(['direct', 'firstscreen']),
  run: v.number(),
  /** Bound of the kernel's receive buffers on the reader's side, tcp_rmem[2]. */
  receiveBufferBytes: v.number(),
  /** From the opening of the connection until the reader has the whole answer. */
  totalMs: v.number(),
  /** Until the server's kernel had taken the whole answer. */
  serverMs: v.number(),
  /** Until the link had brought the whole answer to the client's machine: the server is rid of it. */
  deliveredMs: v.number(),
  /** Of the server's stream, there when the reader went on. */
  deliveredAtResumeBytes: v.number(),
  linkLatenessP99Us: v.number(),
});
export type ReaderRun = v.InferOutput<typeof ReaderRun>;

export interface Results {
  readonly options: ProxyBenchOptions;
  /** Of the proxies beside ours. */
  readonly versions: Readonly<Record<string, string>>;
  readonly small: readonly SmallRound[];
  readonly body: readonly BodyRound[];
  readonly memory: readonly MemoryRound[];
  readonly reader: readonly ReaderRun[];
  /** Null where the part `reader` was left out. */
  readonly link: LinkReport | null;
  /** Congestion control of the servers. */
  readonly congestion: string;
}
