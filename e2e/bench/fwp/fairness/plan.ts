import * as v from 'valibot';
import { ClientPlan, Counted } from '../plan.ts';

/** Of the server of the plain flow. */
export const PLAIN_PORT = 8082;

/** What a side is told. */
export const SidePlan = v.object({
  client: ClientPlan,
  /** Of the file's server; the plain flow has CUBIC. */
  congestion: v.string(),
  seconds: v.number(), warmUpSeconds: v.number(),
});
export type SidePlan = v.InferOutput<typeof SidePlan>;

/** What the near side prints. */
export const SideResult = v.object({
  ...Counted.entries,
  /** Of each second: bytes that the link brought of the file, and of the plain flow. */
  seconds: v.array(v.object({ file: v.number(), plain: v.number() })),
});
export type SideResult = v.InferOutput<typeof SideResult>;
