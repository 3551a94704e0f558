import * as v from 'valibot';
import { NeededObjectsSchema } from '../memory/neededObjectSchema.ts';
import type { Rect } from '../page/geometry.ts';
import type { Placement } from '../page/placement.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS, type ContentMessage } from './content.ts';

const finite = v.pipe(v.number(), v.finite());
const length = v.pipe(finite, v.minValue(0));

const RectSchema: v.GenericSchema<unknown, Rect> = v.strictObject({ x: finite, y: finite, width: length, height: length });

const PlacementSchema: v.GenericSchema<unknown, Placement> = v.variant('state', [
  v.strictObject({ state: v.literal('unplaced') }),
  v.strictObject({ state: v.literal('placed'), rect: RectSchema }),
  v.strictObject({ state: v.literal('styled') }),
  v.strictObject({ state: v.literal('undisplayed'), near: v.nullable(RectSchema) }),
]);

const image = v.strictObject({ url: v.pipe(v.string(), v.maxLength(MAX_URL_CHARS)), placement: PlacementSchema });
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What a content script may say; it runs inside a page's process, so nothing of it is trusted. */
export const ContentMessageSchema: v.GenericSchema<unknown, ContentMessage> = v.variant('type', [
  v.strictObject({
    type: v.literal('layout'),
    view: v.nullable(RectSchema),
    isVisible: v.boolean(),
    isParsed: v.boolean(),
    look: count,
    images: v.pipe(v.array(image), v.maxLength(MAX_REPORTED_IMAGES)),
  }),
  v.strictObject({ type: v.literal('needed'), objects: NeededObjectsSchema }),
  v.strictObject({ type: v.literal('standDown') }),
]);
