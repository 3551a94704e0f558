import * as v from 'valibot';
import { NeededObjectsSchema } from '../memory/neededObjectSchema.ts';
import { MAX_REPORTED_OBJECTS, type ContentMessage } from './page.ts';
import { PlacementSchema, RectSchema } from './placementSchema.ts';

const url = v.pipe(v.string(), v.maxLength(8192));
const objects = v.pipe(v.array(v.strictObject({ url, placement: PlacementSchema })), v.maxLength(MAX_REPORTED_OBJECTS));

/** What a content script may say; it runs inside a page's process, so nothing of it is trusted. */
export const ContentMessageSchema: v.GenericSchema<unknown, ContentMessage> = v.variant('type', [
  v.strictObject({
    type: v.literal('layout'),
    view: v.nullable(RectSchema),
    objects,
  }),
  v.strictObject({ type: v.literal('released'), objects }),
  v.strictObject({ type: v.literal('parsed') }),
  v.strictObject({ type: v.literal('needed'), objects: NeededObjectsSchema }),
  v.strictObject({ type: v.literal('standDown'), reason: v.literal('serviceWorker') }),
]);
