import * as v from 'valibot';
import { LinkReport } from '../metrics/testbed.ts';

/** Version of the layout of results.json. Raised when a field changes its meaning. */
export const RESULTS_VERSION = 2;

/** A failed load is tried once more. */
export const MAX_ATTEMPTS = 2;

const Milliseconds = v.nullable(v.number());

/** An object of the first screen: what the page waited for. The URL has no query. */
const ShownObject = v.object({
  url: v.string(),
  kind: v.string(),
  arrivalMs: v.number(),
  paintMs: v.number(),
  bytes: v.number(),
  settled: v.boolean(),
});

/** A small picture of a load, for the filmstrip. */
const FilmFrame = v.object({ atMs: v.number(), file: v.string() });

/** One page of a journey: its own part of the journey's sums. The URL has no query. */
export const Step = v.object({
  url: v.string(),
  isrtMs: v.number(),
  neededMs: v.number(),
  wasteMs: v.number(),
  idleMs: v.number(),
  speedIndexMs: v.number(),
  allObjectsMs: v.number(),
  bytes: v.number(),
  requests: v.number(),
});

/** One load. Every measured field is null when the load failed; of a journey it is the sum over its pages. */
export const Load = v.object({
  page: v.string(),
  scheme: v.string(),
  run: v.number(),
  /** 1, or 2 for the retry of a failed load. */
  attempt: v.number(),
  isrtMs: Milliseconds,
  isrtArrivalMs: Milliseconds,
  /** Three shares that add up to isrtMs: analysis/timeShares.ts. */
  neededMs: Milliseconds,
  wasteMs: Milliseconds,
  idleMs: Milliseconds,
  visuallyCompleteMs: Milliseconds,
  speedIndexMs: Milliseconds,
  area95Ms: Milliseconds,
  lowerBoundMs: Milliseconds,
  allObjectsMs: Milliseconds,
  bytes: v.nullable(v.number()),
  bodyBytes: v.nullable(v.number()),
  firstScreenBytes: v.nullable(v.number()),
  requests: v.nullable(v.number()),
  /** Of these, those that a relay made; the others went the direct way. */
  requestsRelayed: v.optional(v.nullable(v.number()), null),
  objectsLost: v.nullable(v.number()),
  objectsFetchedTwice: v.nullable(v.number()),
  lost: v.array(v.string()),
  fetchedTwice: v.array(v.string()),
  pictureDifference: v.nullable(v.number()),
  failed: v.nullable(v.string()),
  failure: v.nullable(v.string()),
  critical: v.nullable(ShownObject),
  lastNeeded: v.array(ShownObject),
  neededObjects: v.nullable(v.number()),
  unsettledObjects: v.nullable(v.number()),
  missing: v.array(v.string()),
  /** Processor time from navigation to the end of the load; null without such a process. */
  helperCpuMs: Milliseconds,
  extensionCpuMs: Milliseconds,
  linkLatenessP99Us: v.nullable(v.number()),
  dropsQueue: v.nullable(v.number()),
  /** Of the machine, over the last minute: a busy machine makes loads slow that the link did not. */
  loadAverage: v.number(),
  elapsedMs: v.number(),
  frames: v.array(FilmFrame),
  /** Pages of a journey in their order; empty for a single page. */
  steps: v.array(Step),
});
export type Load = v.InferOutput<typeof Load>;

/** A median with its 95 % interval; null where nothing was measured. */
export const Estimate = v.object({ value: v.nullable(v.number()), low: v.nullable(v.number()), high: v.nullable(v.number()) });
export type Estimate = v.InferOutput<typeof Estimate>;
export const NOT_MEASURED: Estimate = { value: null, low: null, high: null };

const Comparison = v.object({
  scheme: v.string(),
  baseline: v.string(),
  metric: v.string(),
  overall: Estimate,
  pages: v.array(v.object({ page: v.string(), n: v.number(), ratio: Estimate })),
});
export type Comparison = v.InferOutput<typeof Comparison>;

/** A coded error of the test bed. */
const CodedError = v.object({ code: v.string(), message: v.string(), next: v.string() });

const PageSummary = v.object({
  name: v.string(),
  path: v.string(),
  entryUrl: v.nullable(v.string()),
  /** Share of the stock loads' body bytes that the first screen does not need. */
  offScreenShare: v.nullable(v.number()),
  /** Differing pixels of stock pictures of consecutive rounds: how much the page changes by itself. */
  pictureNoise: v.nullable(v.number()),
  error: v.nullable(CodedError),
});
export type PageSummary = v.InferOutput<typeof PageSummary>;

/** results.json. */
export const Results = v.object({
  version: v.literal(RESULTS_VERSION),
  startedAt: v.string(),
  finishedAt: v.string(),
  /** How the run ended: all pairs, the time limit, a signal, or an error of the test bed. */
  ended: v.picklist(['complete', 'limit', 'interrupted', 'failed']),
  error: v.nullable(CodedError),
  options: v.looseObject({ profile: v.string(), protocol: v.string(), runs: v.number(), seed: v.number(), maxLateMs: v.optional(v.nullable(v.number()), null), relayRttMs: v.optional(v.nullable(v.number()), null), isSecondPage: v.optional(v.boolean(), false), schemes: v.array(v.object({ label: v.string(), kind: v.string() })), viewport: v.object({ width: v.number(), height: v.number() }) }),
  versions: v.record(v.string(), v.string()),
  machine: v.object({ cpu: v.string(), cores: v.number(), memoryBytes: v.number(), kernel: v.string(), root: v.boolean() }),
  link: v.nullable(LinkReport),
  congestion: v.nullable(v.string()),
  pages: v.array(PageSummary),
  comparisons: v.array(Comparison),
  loads: v.array(Load),
});
export type Results = v.InferOutput<typeof Results>;
