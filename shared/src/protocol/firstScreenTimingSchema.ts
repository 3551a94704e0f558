import * as v from 'valibot';
import { MAX_TIMED_OBJECTS } from '../memory/neededObject.ts';
import { MAX_URL_CHARS } from './content.ts';

/** Nobody waits for longer; what is above it is no time of a load. */
const MAX_MS = 600_000;

/**
 * Why a load is no measurement, as its page can tell: nobody saw it all the time; it was scrolled or used before its
 * first screen was there; a script gave it another address; the browser painted nothing; an image in view did not come.
 */
export const VOID_REASONS = ['hidden', 'scrolled', 'used', 'left', 'unpainted', 'incomplete'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

const ms = v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(MAX_MS));

const NamedObjectSchema = v.strictObject({
  url: v.pipe(v.string(), v.maxLength(MAX_URL_CHARS)),
  /** Its body as it was sent where the browser tells a page, else 0. */
  bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)),
  /** Whether the browser tells a page when it had come: not of what style sheets of other servers name. */
  isTimed: v.boolean(),
});
export type NamedObject = v.InferOutput<typeof NamedObjectSchema>;

/** How long the first screen of a document took, by the browser's own records; milliseconds after navigation start. */
export const FirstScreenTimingSchema = v.variant('outcome', [
  v.strictObject({
    outcome: v.literal('measured'),
    /** Initial-screen response time: all that the first screen needed has come, and is painted as far as a browser tells a page. */
    isrtMs: ms,
    /** First contentful paint. */
    fcpMs: v.nullable(ms),
    /** Largest contentful paint. */
    lcpMs: v.nullable(ms),
    /** What the first screen of a page that is measured needed; of others nothing is named. */
    needed: v.pipe(v.array(NamedObjectSchema), v.maxLength(MAX_TIMED_OBJECTS)),
  }),
  v.strictObject({ outcome: v.literal('void'), reason: v.picklist(VOID_REASONS) }),
]);
export type FirstScreenTiming = v.InferOutput<typeof FirstScreenTimingSchema>;
