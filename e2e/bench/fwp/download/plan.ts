import * as v from 'valibot';
import { ClientPlan, Counted } from '../plan.ts';

/** What the near side is told. */
export const SidePlan = v.object({ client: ClientPlan, bytes: v.number() });
export type SidePlan = v.InferOutput<typeof SidePlan>;

/** What it prints. A download that ended early has no time, but a reason. */
export const SideResult = v.object({ ...Counted.entries, ms: v.nullable(v.number()), sha256: v.nullable(v.string()), failure: v.nullable(v.string()) });
export type SideResult = v.InferOutput<typeof SideResult>;
