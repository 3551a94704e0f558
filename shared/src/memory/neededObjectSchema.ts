import * as v from 'valibot';
import { MAX_NEEDED_OBJECTS, MAX_NEEDED_ORIGINS, MAX_NEEDED_URL_CHARS, NEEDED_KINDS } from './neededObject.ts';

const url = v.pipe(v.string(), v.maxLength(MAX_NEEDED_URL_CHARS));

export const NeededObjectSchema = v.strictObject({
  url,
  kind: v.picklist(NEEDED_KINDS),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
  referrer: v.optional(url),
});

export const OriginSchema = v.pipe(url, v.regex(/^https?:\/\/[^/?#@\s]+$/i));

/** FirstScreenNeeds. */
export const NEEDS_ENTRIES = {
  objects: v.pipe(v.array(NeededObjectSchema), v.maxLength(MAX_NEEDED_OBJECTS)),
  origins: v.pipe(v.array(OriginSchema), v.maxLength(MAX_NEEDED_ORIGINS)),
};
