import * as v from 'valibot';
import { tableText } from '../../driver/comparison.ts';

/** Raised when a field changes its meaning. */
export const RESULTS_VERSION = 1;

/** So many users at once. */
const Step = v.object({
  users: v.number(),
  seconds: v.number(),
  pages: v.number(),
  /** Not whole: the relay has refused a tunnel, or lost it. */
  failedPages: v.number(),
  objects: v.number(),
  /** Of the objects that were asked for both ways: by the relay less than directly after it. Milliseconds; with the connection where it is a server's first. */
  addedMs: v.object({ p50: v.number(), p95: v.number(), p99: v.number() }),
  directMs: v.object({ p50: v.number(), p95: v.number() }),
  /** Of one processor, of the relay that works most, and of the users together; their servers have another one. */
  relayProcessor: v.number(),
  /** Of HAProxy, where there is one. */
  haproxyProcessor: v.optional(v.nullable(v.number()), null),
  usersProcessor: v.number(),
  /** Of the relays, a user: of one that only is there, and the most while all read. */
  idleBytesOfUser: v.number(),
  peakBytesOfUser: v.number(),
  /** What was met first, where no more users would be served as well; null where there is room. */
  limit: v.nullable(v.picklist(['relay processor', 'users processor', 'added time', 'failed pages'])),
});
export type Step = v.InferOutput<typeof Step>;

export const Results = v.object({
  version: v.literal(RESULTS_VERSION),
  startedAt: v.string(),
  finishedAt: v.string(),
  options: v.object({ users: v.array(v.number()), seconds: v.number(), thinkSeconds: v.number(), relays: v.optional(v.number(), 1), seed: v.number(), out: v.string(), json: v.boolean() }),
  versions: v.record(v.string(), v.string()),
  machine: v.object({ cpu: v.string(), cores: v.number(), memoryBytes: v.number(), kernel: v.string(), root: v.boolean() }),
  loadAverage: v.array(v.number()),
  steps: v.array(Step),
});
export type Results = v.InferOutput<typeof Results>;

/** A processor is full before its last per cent. */
const FULL_SHARE = 0.9;
/** Of a page's 36 objects this many milliseconds each would be seen. */
const MOST_ADDED_MS = 50;

/** What a step has met first. Pure. */
export function limitOf({ failedPages, relayProcessor, usersProcessor, addedMs }: Omit<Step, 'limit'>): Step['limit'] {
  if (failedPages > 0) return 'failed pages';
  if (relayProcessor >= FULL_SHARE) return 'relay processor';
  if (usersProcessor >= FULL_SHARE) return 'users processor';
  return addedMs.p95 > MOST_ADDED_MS ? 'added time' : null;
}

/** A table of Markdown. Pure. */
export function tableOf({ steps }: Pick<Results, 'steps'>): string {
  const kilobytes = (bytes: number): string => String(Math.round(bytes / 1024));
  const share = (of: number): string => `${Math.round(of * 100)} %`;
  const rows = steps.map((step) => [
    String(step.users), (step.pages / step.seconds).toFixed(1), step.addedMs.p50.toFixed(1), step.addedMs.p95.toFixed(1), step.addedMs.p99.toFixed(1), step.directMs.p95.toFixed(1),
    share(step.relayProcessor), step.haproxyProcessor === null ? '' : share(step.haproxyProcessor), share(step.usersProcessor), kilobytes(step.idleBytesOfUser), kilobytes(step.peakBytesOfUser), step.limit ?? '',
  ]);
  const head = ['users', 'pages a second', 'added, median (ms)', 'p95', 'p99', 'direct p95 (ms)', 'relay\'s processor', 'HAProxy\'s', 'users\' processor', 'a user idle (kB)', 'at most (kB)', 'limit'];
  return tableText(head, rows);
}
