import * as v from 'valibot';
import { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';

const Moment = v.nullable(v.number());

/** What a waterfall is drawn of: part of a load's artifact. Times are milliseconds after the navigation's start. */
export const LoadArtifact = v.object({
  /** As the servers saw them; `firstByteMs` and `arrivalMs` by the link, of a relay's the latter by the browser. */
  requests: v.array(v.object({ url: v.string(), status: v.number(), bodyBytes: v.number(), connection: v.string(), startMs: v.number(), firstByteMs: Moment, arrivalMs: Moment })),
  /** What the first screen shows. */
  needed: v.array(v.object({ url: v.string(), kind: v.string() })),
  /** The helper's; null without one. */
  record: v.nullable(v.array(RequestEvent)),
});
export type LoadArtifact = v.InferOutput<typeof LoadArtifact>;
export type ServedObject = LoadArtifact['requests'][number];
