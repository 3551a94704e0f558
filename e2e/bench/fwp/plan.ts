import * as v from 'valibot';

/** The same client without FWP, and with it. */
export const WAYS = ['stock', 'fwp'] as const;
export type Way = (typeof WAYS)[number];

/** Of the files' server. */
export const FILES_PORT = 8081;

/** What a client is started with. */
export const ClientPlan = v.object({
  way: v.picklist(WAYS),
  /** Of this run, for what the helper keeps. */
  directory: v.string(),
  /** That the driver expects of the link; null: it learns. */
  frameErrorRate: v.nullable(v.number()),
});
export type ClientPlan = v.InferOutput<typeof ClientPlan>;

/** What the driver counts (docs/driver.md). */
export const FwpCounters = v.object({ flows: v.number(), holes: v.number(), holeBytes: v.number(), late: v.number(), congested: v.number(), noRoom: v.number() });
export type FwpCounters = v.InferOutput<typeof FwpCounters>;

const Carried = v.object({ packets: v.number(), bytes: v.number(), deliveredBytes: v.number(), dropsQueue: v.number(), dropsLoss: v.number() });

/** What link and driver have counted from their start. */
export const Counted = v.object({ link: v.object({ up: Carried, down: Carried, lateness: v.object({ p99Us: v.number() }) }), fwp: v.nullable(FwpCounters) });
export type Counted = v.InferOutput<typeof Counted>;
