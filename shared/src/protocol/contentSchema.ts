import * as v from 'valibot';
import { NeededObjectsSchema } from '../memory/neededObjectSchema.ts';
import { MAX_REPORTED_IMAGES, MAX_URL_CHARS, type ContentMessage } from './content.ts';
import { PlacementSchema, RectSchema } from './placementSchema.ts';

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
