import * as v from 'valibot';
import { NEEDS_ENTRIES } from '../memory/neededObjectSchema.ts';
import type { Rect } from '../page/geometry.ts';
import type { Placement } from '../page/placement.ts';
import { FirstScreenTimingSchema } from './firstScreenTimingSchema.ts';
import { PointedLinkSchema } from './pointedLinkSchema.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS } from './content.ts';

const finite = v.pipe(v.number(), v.finite());
const length = v.pipe(finite, v.minValue(0));

const RectSchema: v.GenericSchema<unknown, Rect> = v.strictObject({ x: finite, y: finite, width: length, height: length });

const PlacementSchema: v.GenericSchema<unknown, Placement> = v.variant('state', [
  v.strictObject({ state: v.literal('unplaced') }),
  v.strictObject({ state: v.literal('placed'), rect: RectSchema }),
  v.strictObject({ state: v.literal('undisplayed'), near: v.nullable(RectSchema) }),
]);

const image = v.strictObject({ url: v.pipe(v.string(), v.maxLength(MAX_URL_CHARS)), placement: PlacementSchema });
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const LayoutReportSchema = v.strictObject({
  /** In document coordinates; null before the first layout. */
  view: v.nullable(RectSchema),
  /** Whether anybody sees the document: not so in a background tab, or in one that is prerendered. */
  isVisible: v.boolean(),
  isParsed: v.boolean(),
  /** Number of the last `look` that was heard before the layout was read. */
  look: count,
  /** Whether that look was at all that the view shows: what nothing in it names then stands elsewhere. */
  isWhole: v.boolean(),
  /** Images that have not come, and are new or stand elsewhere than the last report said. */
  images: v.pipe(v.array(image), v.maxLength(MAX_REPORTED_IMAGES)),
});
export type LayoutReport = v.InferOutput<typeof LayoutReportSchema>;

const moment = v.nullable(finite);

/** Of a document, in milliseconds after `startMs`; null for what has not been. */
const PageTimingSchema = v.strictObject({
  /** The document's time origin by the wall clock, in milliseconds. */
  startMs: finite,
  firstPaintMs: moment,
  contentfulPaintMs: moment,
  /** DOMContentLoaded. */
  parsedMs: moment,
  loadedMs: moment,
});
export type PageTiming = v.InferOutput<typeof PageTimingSchema>;

/** Where all images stand that elements show, come or not, in document coordinates. */
const ShownPlacesSchema = v.strictObject({
  view: RectSchema,
  page: v.strictObject({ width: length, height: length }),
  images: v.pipe(v.array(v.strictObject({ url: v.pipe(v.string(), v.maxLength(MAX_URL_CHARS)), rect: RectSchema })), v.maxLength(MAX_REPORTED_IMAGES)),
});
export type ShownPlaces = v.InferOutput<typeof ShownPlacesSchema>;

const urls = v.pipe(v.array(v.pipe(v.string(), v.maxLength(MAX_URL_CHARS))), v.maxLength(MAX_REPORTED_IMAGES));

/** Answer to `makeLazy`, with each of its images in one of the two. */
const MadeLazySchema = v.strictObject({
  /** Whose elements have given their requests up. */
  lazy: urls,
  /** That something else shows, or nothing in the document. */
  others: urls,
});
export type MadeLazy = v.InferOutput<typeof MadeLazySchema>;

/** What a content script may say; it runs inside a page's process, so nothing of it is trusted. */
export const ContentMessageSchema = v.variant('type', [
  v.strictObject({ type: v.literal('layout'), ...LayoutReportSchema.entries }),
  /** Answer to `learn`: what the first screen of this page needed. */
  v.strictObject({ type: v.literal('needed'), ...NEEDS_ENTRIES }),
  /** Answer to `measure`: how long the first screen of this page took. */
  v.strictObject({ type: v.literal('measured'), load: count, timing: FirstScreenTimingSchema }),
  v.strictObject({ type: v.literal('madeLazy'), ...MadeLazySchema.entries }),
  v.strictObject({ type: v.literal('pointed'), ...PointedLinkSchema.entries }),
  /** While it is inspected. `inspected`: what its first screen needed, said to the panel alone. */
  v.strictObject({ type: v.literal('timing'), ...PageTimingSchema.entries }),
  v.strictObject({ type: v.literal('inspected'), ...NEEDS_ENTRIES }),
  v.strictObject({ type: v.literal('shown'), ...ShownPlacesSchema.entries }),
  /** A service worker answers this document's requests: nothing of it is held. */
  v.strictObject({ type: v.literal('standDown') }),
]);
export type ContentMessage = v.InferOutput<typeof ContentMessageSchema>;
