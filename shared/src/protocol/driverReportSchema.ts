import * as v from 'valibot';

/** Longer lists and texts of a driver are cut: what is told is for people. */
export const MAX_REPORTED = 64;
export const MAX_REPORTED_CHARS = 200;

const text = v.pipe(v.string(), v.maxLength(MAX_REPORTED_CHARS));
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

/** Whether the kernel supports something of the driver's, and why not. */
const FeatureSchema = v.strictObject({ name: text, level: v.picklist(['full', 'none']), reason: text });

/** Of all that is registered on this machine, since the driver began. That a copy has saved a time-out nobody can tell: it may be the original that came. */
const COUNTERS = {
  /** Thin messages seen. */
  messages: count,
  /** Packets sent. */
  copies: count,
  /** Of these packets, with their headers. */
  copyBytes: count,
};
/** Those of them that the driver tells; it has others. */
export const CountersSchema = v.object(COUNTERS);

/** How the driver stands, as its helper knows it: numbers and names, no addresses. */
export const DriverReportSchema = v.variant('state', [
  v.strictObject({
    state: v.literal('running'),
    /** Whether it acts on this helper's connections. */
    isRegistered: v.boolean(),
    /** That it is attached to. */
    interfaces: v.pipe(v.array(text), v.maxLength(MAX_REPORTED)),
    features: v.pipe(v.array(FeatureSchema), v.maxLength(MAX_REPORTED)),
    counters: v.strictObject(COUNTERS),
  }),
  /** None answers; its socket is not open to this user; it is of a release that this helper does not know; it refuses, or says nothing. */
  v.strictObject({ state: v.picklist(['none', 'closed', 'unknownVersion', 'silent']) }),
]);

export type DriverReport = v.InferOutput<typeof DriverReportSchema>;
export type RunningDriver = Extract<DriverReport, { state: 'running' }>;
