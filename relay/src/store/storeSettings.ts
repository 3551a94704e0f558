import * as v from 'valibot';

const isUrlOf = (text: string, protocols: readonly string[]): boolean => URL.canParse(text) && protocols.includes(new URL(text).protocol);

/** In relay.json: what relays of one key share; absent for a relay by itself. */
export const StoreSettingsSchema = v.strictObject({
  /** Hints: which pictures are in the store. */
  redis: v.pipe(v.string(), v.check((text) => isUrlOf(text, ['redis:', 'rediss:']), 'is redis://[:PASSWORD@]HOST[:PORT], or rediss://')),
  /** An S3-compatible store: where it answers, without the bucket. */
  s3: v.strictObject({
    endpoint: v.pipe(v.string(), v.check((text) => isUrlOf(text, ['http:', 'https:']), 'is http:// or https://')),
    region: v.pipe(v.string(), v.nonEmpty()),
    bucket: v.pipe(v.string(), v.regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, 'is a name of 3 to 63 small letters, digits, dots, dashes')),
    accessKeyId: v.pipe(v.string(), v.nonEmpty()),
    secretAccessKey: v.pipe(v.string(), v.nonEmpty()),
  }),
});
export type StoreSettings = v.InferOutput<typeof StoreSettingsSchema>;
