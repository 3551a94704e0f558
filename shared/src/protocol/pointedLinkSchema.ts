import * as v from 'valibot';
import { REFERRER_POLICIES } from '../page/referrerPolicy.ts';
import { MAX_URL_CHARS, type PointedLink } from './content.ts';

const url = v.pipe(v.string(), v.maxLength(MAX_URL_CHARS));

/** As the content script says it, and the helper hears it. */
export const PointedLinkSchema = v.strictObject({ page: url, url, isLikely: v.boolean(), referrerPolicy: v.nullable(v.picklist(REFERRER_POLICIES)) }) satisfies v.GenericSchema<unknown, PointedLink>;
