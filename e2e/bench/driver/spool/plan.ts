import * as v from 'valibot';

/** How a program reads: all as it comes; with one long stop; in turns, a quarter of the time. */
export const PATTERNS = ['steady', 'halts', 'on-off'] as const;
export type Pattern = (typeof PATTERNS)[number];

/** A stock client, and one that the driver leads into the helper's spool. */
export const WAYS = ['stock', 'spool'] as const;
export type Way = (typeof WAYS)[number];

/** What the near side is told. */
export const SidePlan = v.object({
  way: v.picklist(WAYS),
  /** Of the reader that is led into the spool; not there yet. */
  cgroup: v.string(),
  /** A folder of this run. */
  directory: v.string(),
  /** The program that reads. */
  reader: v.array(v.string()),
});
export type SidePlan = v.InferOutput<typeof SidePlan>;

/** What it prints. */
export const SideResult = v.object({
  ms: v.number(),
  /** Connections that were led into the spool. */
  redirected: v.number(),
});
export type SideResult = v.InferOutput<typeof SideResult>;
