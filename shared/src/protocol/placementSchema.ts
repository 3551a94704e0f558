import * as v from 'valibot';
import type { Rect } from '../page/geometry.ts';
import type { Placement } from '../page/placement.ts';

const finite = v.pipe(v.number(), v.finite());
const length = v.pipe(finite, v.minValue(0));

export const RectSchema: v.GenericSchema<unknown, Rect> = v.strictObject({ x: finite, y: finite, width: length, height: length });

export const PlacementSchema: v.GenericSchema<unknown, Placement> = v.variant('state', [
  v.strictObject({ state: v.literal('unplaced') }),
  v.strictObject({ state: v.literal('placed'), rect: RectSchema }),
  v.strictObject({ state: v.literal('styled') }),
  v.strictObject({ state: v.literal('undisplayed'), near: v.nullable(RectSchema) }),
]);
