import * as v from 'valibot';
import { NEEDED_KINDS } from '../../../../shared/src/memory/neededObject.ts';
import type { Rect } from '../../../../shared/src/page/geometry.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS } from '../../../../shared/src/protocol/content.ts';
import type { PageTiming } from '../../../../shared/src/protocol/contentSchema.ts';
import { RequestEvent } from '../../../../shared/src/requests/requestEvent.ts';
import type { GateEvent, LinkSample } from '../../messages/panel.ts';
import { KeptLinkSchema, type KeptLink } from '../../settings/keptLink.ts';
import { MeasuredLoadSchema, type MeasuredLoad } from '../../settings/measuredPages.ts';
import { BrowserRequestSchema, WallMs } from './browserRequest.ts';

/** Of one load: pages with more are cut, and say so. */
export const MAX_REQUESTS = 10_000;
export const MAX_EVENTS = 200_000;
export const MAX_SAMPLES = 100_000;
export const MAX_PLACES = 2 * MAX_REPORTED_IMAGES;

const ms = v.pipe(v.number(), v.finite());
const length = v.pipe(ms, v.minValue(0));
const url = v.pipe(v.string(), v.maxLength(MAX_URL_CHARS));
const moment = v.nullable(ms);
const RectSchema: v.GenericSchema<unknown, Rect> = v.strictObject({ x: ms, y: ms, width: length, height: length });

const TimingSchema: v.GenericSchema<unknown, PageTiming> = v.strictObject({ startMs: WallMs, firstPaintMs: moment, contentfulPaintMs: moment, parsedMs: moment, loadedMs: moment });
const GateEventSchema: v.GenericSchema<unknown, GateEvent> = v.strictObject({ atMs: WallMs, url, isHeld: v.boolean() });
const LinkSampleSchema: v.GenericSchema<unknown, LinkSample> = v.strictObject({ atMs: WallMs, rateBitsPerSecond: length, rttMs: length, isMeasured: v.boolean() });

/** Where the page's images stand. */
const PlacesSchema = v.strictObject({
  view: RectSchema,
  /** Null before the page has come to rest. */
  page: v.nullable(v.strictObject({ width: length, height: length })),
  images: v.pipe(v.array(v.strictObject({ url, rect: v.nullable(RectSchema) })), v.maxLength(MAX_PLACES)),
});
export type Places = v.InferOutput<typeof PlacesSchema>;

/** What a load is compared with: the last one in its panel, or else one that was measured without Firstscreen. */
export type Twin =
  | { readonly kind: 'seen'; readonly isHelped: boolean; readonly load: MeasuredLoad }
  | { readonly kind: 'measured'; readonly load: MeasuredLoad; readonly atMs: number; readonly link: KeptLink; readonly loads: number; readonly isThisLink: boolean };
const TwinSchema: v.GenericSchema<unknown, Twin> = v.variant('kind', [
  v.strictObject({ kind: v.literal('seen'), isHelped: v.boolean(), load: MeasuredLoadSchema }),
  v.strictObject({ kind: v.literal('measured'), load: MeasuredLoadSchema, atMs: WallMs, link: KeptLinkSchema, loads: v.pipe(v.number(), v.integer(), v.minValue(1)), isThisLink: v.boolean() }),
]);

/** All that is known of one load of a page, as it was told; times are of the wall clock, in milliseconds. It is what an exported file holds. */
export const LoadRecordSchema = v.strictObject({
  format: v.literal('firstscreen-load'),
  version: v.literal(1),
  /** Null while nobody has told. */
  url: v.nullable(url),
  /** The navigation's start. */
  startMs: WallMs,
  requests: v.pipe(v.array(BrowserRequestSchema), v.maxLength(MAX_REQUESTS)),
  /** Of the helper. */
  events: v.pipe(v.array(RequestEvent), v.maxLength(MAX_EVENTS)),
  gate: v.pipe(v.array(GateEventSchema), v.maxLength(MAX_SAMPLES)),
  links: v.pipe(v.array(LinkSampleSchema), v.maxLength(MAX_SAMPLES)),
  timing: v.nullable(TimingSchema),
  /** What the first screen needed, once the page has come to rest. */
  needs: v.nullable(v.pipe(v.array(v.strictObject({ url: v.string(), kind: v.picklist(NEEDED_KINDS) })), v.maxLength(MAX_REQUESTS))),
  places: v.nullable(PlacesSchema),
  /** Whether the extension ordered requests; null while nobody has told. */
  isHelped: v.nullable(v.boolean()),
  /** What it was compared with when it was saved; null for nothing, and while it is recorded. */
  twin: v.optional(v.nullable(TwinSchema), null),
});
export type LoadRecord = v.InferOutput<typeof LoadRecordSchema>;
export type Need = NonNullable<LoadRecord['needs']>[number];

export function emptyRecord(startMs: number): LoadRecord {
  return { format: 'firstscreen-load', version: 1, url: null, startMs, requests: [], events: [], gate: [], links: [], timing: null, needs: null, places: null, isHelped: null, twin: null };
}
