import * as v from 'valibot';
import { Estimate, Load, Results } from '../results.ts';

/** Version of the layout of results.json. Raised when a field changes its meaning. */
export const RESULTS_VERSION = 1;

const { ended, error, machine, versions, link, congestion } = Results.entries;

/** One start of the test bed: a link, a helper, and the conditions that were measured with them. */
const TestbedResult = v.object({ name: v.string(), profile: v.string(), helperConnections: v.nullable(v.number()), schemes: v.array(v.string()), ended, error, link, congestion });
export type TestbedResult = v.InferOutput<typeof TestbedResult>;

/** A scheme at one point. */
const PointResult = v.object({
  x: v.number(),
  condition: v.string(),
  /** Pairs that were measured; for the baseline its loads. */
  n: v.number(),
  /** 1 - ratio of ISRT, median of pairs; null for the baseline. */
  gain: v.nullable(Estimate),
  isrtMs: Estimate,
});
export type PointResult = v.InferOutput<typeof PointResult>;

const Line = v.object({ scheme: v.string(), points: v.array(PointResult) });
export type Line = v.InferOutput<typeof Line>;

const Figure = v.object({ name: v.string(), baseline: v.string(), lines: v.array(Line) });
export type Figure = v.InferOutput<typeof Figure>;

/** results.json of the figures. */
export const FigureResults = v.object({
  version: v.literal(RESULTS_VERSION),
  startedAt: v.string(),
  finishedAt: v.string(),
  ended,
  options: v.object({ figures: v.array(v.string()), schemes: v.array(v.string()), runs: v.number(), seed: v.number(), maxLateMs: v.nullable(v.number()), quick: v.boolean() }),
  versions,
  machine,
  testbeds: v.array(TestbedResult),
  figures: v.array(Figure),
  /** As of the benchmark, but `page` is the condition, and `run` the draw of its page. */
  loads: v.array(Load),
});
export type FigureResults = v.InferOutput<typeof FigureResults>;
