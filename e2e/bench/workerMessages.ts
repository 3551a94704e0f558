import * as v from 'valibot';
import { PART_NAMES } from '../../shared/src/parts.ts';
import { LinkReport } from '../metrics/testbed.ts';
import { SCHEME_KINDS } from './schemes.ts';
import { Load } from './results.ts';

/** What the supervisor hands to the worker, as a file. */
export const WorkerPlan = v.object({
  pages: v.array(v.object({ name: v.string(), path: v.string() })),
  pairs: v.array(v.object({ page: v.string(), run: v.number(), order: v.array(v.string()) })),
  schemes: v.array(v.object({ label: v.string(), kind: v.picklist(SCHEME_KINDS), partsOff: v.array(v.picklist(PART_NAMES)) })),
  protocol: v.string(),
  viewport: v.object({ width: v.number(), height: v.number() }),
  loadTimeoutMs: v.nullable(v.number()),
  maxLateMs: v.nullable(v.number()),
  isSecondPage: v.boolean(),
  /** Wall clock; no load is begun after it. */
  deadlineMs: v.nullable(v.number()),
  caDir: v.string(),
  helperMain: v.string(),
  /** Of the helpers that have a relay, by how they use it; those that the schemes need. */
  relayHomes: v.partial(v.object({ tunnel: v.string(), terminated: v.string() })),
  linkSocket: v.string(),
  hostingSocket: v.string(),
  temporaryDir: v.string(),
  outDir: v.string(),
});
export type WorkerPlan = v.InferOutput<typeof WorkerPlan>;

const Answered = v.object({ url: v.string(), canonicalUrl: v.string(), status: v.number(), whole: v.boolean() });

/** Of a worker that can not go on. */
export const Fatal = v.object({ type: v.literal('fatal'), code: v.string(), message: v.string(), next: v.string() });

/** What the worker tells the supervisor: one JSON object a line on its stdout. */
export const WorkerMessage = v.variant('type', [
  v.object({ type: v.literal('ready'), link: LinkReport }),
  v.object({ type: v.literal('page'), page: v.string(), entryUrl: v.string(), congestion: v.nullable(v.string()) }),
  v.object({ type: v.literal('pageError'), page: v.string(), code: v.string(), message: v.string(), next: v.string() }),
  v.object({ type: v.literal('load'), load: Load, answered: v.array(Answered), missing: v.array(v.string()) }),
  v.object({ type: v.literal('pictures'), page: v.string(), run: v.number(), differences: v.record(v.string(), v.number()), noise: v.nullable(v.number()) }),
  v.object({ type: v.literal('pairDone'), page: v.string(), run: v.number() }),
  v.object({ type: v.literal('end'), reason: v.picklist(['complete', 'limit', 'interrupted']), link: LinkReport }),
  Fatal,
]);
export type WorkerMessage = v.InferOutput<typeof WorkerMessage>;
