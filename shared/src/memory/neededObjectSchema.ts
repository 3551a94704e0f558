import * as v from 'valibot';
import { MAX_NEEDED_OBJECTS, MAX_NEEDED_URL_CHARS, NEEDED_KINDS } from './neededObject.ts';

export const NeededObjectSchema = v.strictObject({
  url: v.pipe(v.string(), v.maxLength(MAX_NEEDED_URL_CHARS)),
  kind: v.picklist(NEEDED_KINDS),
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
});

export const NeededObjectsSchema = v.pipe(v.array(NeededObjectSchema), v.maxLength(MAX_NEEDED_OBJECTS));
