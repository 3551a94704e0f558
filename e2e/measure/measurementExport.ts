import * as v from 'valibot';

const side = v.picklist(['with', 'without']);
const load = { pair: v.number(), side, load: v.number() };

/** What "Measure this page" saves as JSON; docs/benchmarks.md has its fields. */
export const MeasurementExport = v.strictObject({
  version: v.literal(1),
  extensionVersion: v.string(),
  browser: v.string(),
  url: v.string(),
  startedAt: v.string(),
  pairs: v.number(),
  visit: v.picklist(['first', 'second']),
  isCold: v.boolean(),
  ended: v.string(),
  shows: v.picklist(['sooner', 'later', 'nothing', 'tooFew']),
  pairsCounted: v.number(),
  ratio: v.nullable(v.strictObject({ value: v.number(), low: v.number(), high: v.number() })),
  ratios: v.array(v.number()),
  counted: v.array(v.strictObject({ ...load, isrtMs: v.number(), fcpMs: v.nullable(v.number()), lcpMs: v.nullable(v.number()), carried: v.strictObject({ neededBytes: v.number(), otherBytes: v.number() }) })),
  dropped: v.array(v.strictObject({ ...load, reason: v.string() })),
});
export type MeasurementExport = v.InferOutput<typeof MeasurementExport>;
