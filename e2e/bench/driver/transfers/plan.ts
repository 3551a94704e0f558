import * as v from 'valibot';

/** Ports of the server: what uses the first one is registered where a driver runs, what uses the other never is. */
export const REGISTERED_PORT = 8081;
export const PLAIN_PORT = 8082;

/** What the two sides of one start of the link do; they read it from a file. */
export const SidePlan = v.strictObject({
  /** As firstscreen-transfers wants them. */
  flows: v.array(v.string()),
  seconds: v.number(),
  warmUpSeconds: v.number(),
  congestion: v.string(),
  seed: v.number(),
  /** Of the driver at the client, and at the server; null: there is none. */
  nearPolicy: v.nullable(v.array(v.string())),
  farPolicy: v.nullable(v.array(v.string())),
});
export type SidePlan = v.InferOutput<typeof SidePlan>;

export const PLAN_FILE = 'plan.json';
/** Folder of the server's driver, which the client's side asks. It goes with the run's: the link ends the server's side at once. */
export const FAR_DRIVER = 'far-driver';

/** One flow, as firstscreen-transfers prints it. Bytes are of TCP's stream over `seconds`. */
export const Flow = v.strictObject({ kind: v.string(), port: v.number(), seconds: v.number(), upBytes: v.number(), downBytes: v.number(), requests: v.number() });
export type Flow = v.InferOutput<typeof Flow>;

const Carried = v.object({ packets: v.number(), bytes: v.number(), dropsQueue: v.number(), dropsLoss: v.number() });

const Counters = v.object({
  programs: v.object({ retransmitted: v.number() }),
  rar: v.object({ messages: v.number(), copies: v.number(), copyBytes: v.number(), linkBusy: v.number(), notPaying: v.number(), duplicates: v.number() }),
});
export type Counters = v.InferOutput<typeof Counters>;

const Status = v.nullable(v.pipe(v.object({ counters: Counters }), v.transform(({ counters }) => counters)));

/** What link and drivers have counted from their start to the end of the flows. */
export const Counted = v.object({ link: v.object({ up: Carried, down: Carried, lateness: v.object({ p99Us: v.number() }) }), near: Status, far: Status });
export type Counted = v.InferOutput<typeof Counted>;
