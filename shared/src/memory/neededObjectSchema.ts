import * as v from 'valibot';
import { familyOf } from '../names/address.ts';
import { MAX_HOST_CHARS } from '../names/authority.ts';
import { REFERRER_POLICIES } from '../page/referrerPolicy.ts';
import { PROFILE } from './cachedUntil.ts';
import { MAX_ADDRESSES, MAX_NEEDED_OBJECTS, MAX_NEEDED_ORIGINS, MAX_NEEDED_URL_CHARS, NEEDED_KINDS } from './neededObject.ts';

const url = v.pipe(v.string(), v.maxLength(MAX_NEEDED_URL_CHARS));

const bytes = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

const day = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));

export const SeenDocumentSchema = v.strictObject({ bytes, setsCookies: v.boolean(), referrerPolicy: v.nullable(v.picklist(REFERRER_POLICIES)) });

const NeededObjectSchema = v.strictObject({
  url,
  kind: v.picklist(NEEDED_KINDS),
});

export const SeenObjectSchema = v.strictObject({
  ...NeededObjectSchema.entries,
  bytes,
  request: v.strictObject({
    referrer: v.nullable(url),
    site: v.nullable(v.picklist(['same-origin', 'same-site', 'cross-site'])),
    isCors: v.boolean(),
    hasCookies: v.boolean(),
  }),
  cached: v.nullable(v.strictObject({ keptDay: day, freshDay: day, profile: v.pipe(v.string(), v.regex(PROFILE)) })),
  isNamed: v.boolean(),
});

export const OriginSchema = v.pipe(url, v.regex(/^https?:\/\/[^/?#@\s]+$/i));

const HostAddressSchema = v.strictObject({
  host: v.pipe(v.string(), v.maxLength(MAX_HOST_CHARS)),
  address: v.pipe(v.string(), v.check((text) => familyOf(text) !== null)),
});

export const HostAddressesSchema = v.pipe(v.array(HostAddressSchema), v.maxLength(MAX_ADDRESSES));

/** FirstScreenNeeds. */
export const NEEDS_ENTRIES = {
  objects: v.pipe(v.array(NeededObjectSchema), v.maxLength(MAX_NEEDED_OBJECTS)),
  origins: v.pipe(v.array(OriginSchema), v.maxLength(MAX_NEEDED_ORIGINS)),
};
