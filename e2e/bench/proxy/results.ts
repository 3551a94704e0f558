import * as v from 'valibot';
import { LinkReport } from '../../metrics/testbed.ts';
import { WAYS } from './ways.ts';

/** Raised when a field changes its meaning. */
export const RESULTS_VERSION = 1;

const way = v.picklist(WAYS);

/** One round of small requests on one way. */
const SmallRound = v.object({
  kind: v.string(),
  way,
  run: v.number(),
  requests: v.number(),
  medianMs: v.number(),
  p95Ms: v.number(),
  perSecond: v.number(),
  /** Of the proxy's process, user and kernel, a request; null where there is none. */
  processorMs: v.nullable(v.number()),
});
export type SmallRound = v.InferOutput<typeof SmallRound>;

/** The large body once, with a reader that takes it as it comes. */
const BodyRound = v.object({ way, run: v.number(), bytes: v.number(), ms: v.number(), processorMs: v.nullable(v.number()), peakBytes: v.nullable(v.number()) });
export type BodyRound = v.InferOutput<typeof BodyRound>;

/** The large body once through a fresh process, with a reader that stops after the first bytes. */
const MemoryRound = v.object({
  way,
  run: v.number(),
  /** Resident before the request. */
  idleBytes: v.number(),
  /** Resident at most, after everything. */
  peakBytes: v.number(),
  /** What the server had got rid of when the reader went on. */
  takenBytes: v.number(),
  ms: v.number(),
});
export type MemoryRound = v.InferOutput<typeof MemoryRound>;

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

export const Results = v.object({
  version: v.literal(RESULTS_VERSION),
  startedAt: v.string(),
  finishedAt: v.string(),
  options: v.looseObject({ seed: v.number(), bodyBytes: v.number(), readerBytes: v.number(), stopMs: v.number(), profile: v.string() }),
  versions: v.record(v.string(), v.string()),
  machine: v.looseObject({ cpu: v.string(), cores: v.number(), kernel: v.string() }),
  /** One-minute load averages before and after: above 0 before, others were at work. */
  loadAverage: v.tuple([v.number(), v.number()]),
  small: v.array(SmallRound),
  body: v.array(BodyRound),
  memory: v.array(MemoryRound),
  reader: v.array(ReaderRun),
  link: v.nullable(LinkReport),
  /** Congestion control of the servers. */
  congestion: v.string(),
});
export type Results = v.InferOutput<typeof Results>;
