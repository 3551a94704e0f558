import * as v from 'valibot';

/** What the recorder hands to its worker on the near side of the link, as a file. */
export const RecordingPlan = v.strictObject({
  /** WARC file. */
  page: v.string(),
  /** For all that is gone afterwards. */
  directory: v.string(),
  caDir: v.string(),
  hostingSocket: v.string(),
});
export type RecordingPlan = v.InferOutput<typeof RecordingPlan>;
