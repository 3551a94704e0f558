import * as v from 'valibot';

export const TRAFFIC = ['bulk up', 'bulk down', 'requests'] as const;
export const BULK = ['bulk up', 'bulk down'] as const;

/** What side.ts is told. */
export const CostPlan = v.strictObject({ mbitPerSecond: v.number(), congestion: v.string(), seconds: v.number(), rounds: v.number(), seed: v.number(), cgroup: v.string() });
export type CostPlan = v.InferOutput<typeof CostPlan>;

/** What a program took for its packets in one round. */
const ProgramRun = v.strictObject({ round: v.number(), traffic: v.picklist(TRAFFIC), isRegistered: v.boolean(), packets: v.number(), ns: v.number() });
export type ProgramRun = v.InferOutput<typeof ProgramRun>;

/** One bulk transfer, its bytes those of TCP's stream; processor seconds are the whole machine's. */
const BulkRun = v.strictObject({ round: v.number(), bulk: v.picklist(BULK), hasDriver: v.boolean(), bytes: v.number(), seconds: v.number(), processorSeconds: v.number() });
export type BulkRun = v.InferOutput<typeof BulkRun>;

/** A line of what side.ts prints. */
export const CostRun = v.union([ProgramRun, BulkRun]);
