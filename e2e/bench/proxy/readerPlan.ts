import * as v from 'valibot';
import { LinkReport } from '../../metrics/testbed.ts';
import { ReaderRun } from './results.ts';

/** What the benchmark hands to the reader's worker, as a file. */
export const ReaderPlan = v.object({
  temporaryDir: v.string(),
  linkSocket: v.string(),
  serverSocket: v.string(),
  serverPort: v.number(),
  pairs: v.number(),
  bytes: v.number(),
  stopMs: v.number(),
  receiveBuffers: v.array(v.nullable(v.number())),
  seed: v.number(),
});
export type ReaderPlan = v.InferOutput<typeof ReaderPlan>;

/** What the worker tells: one JSON object a line. */
export const ReaderMessage = v.variant('type', [
  v.object({ type: v.literal('run'), run: ReaderRun }),
  v.object({ type: v.literal('end'), link: LinkReport }),
]);
export type ReaderMessage = v.InferOutput<typeof ReaderMessage>;
