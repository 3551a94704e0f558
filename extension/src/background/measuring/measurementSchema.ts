import * as v from 'valibot';
import { VOID_REASONS } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import { DROP_REASONS, END_REASONS, MAX_PAIRS, SIDES, VISITS, type MeasuringRequest, type Measurement } from '../../messages/measuring.ts';

const finite = v.pipe(v.number(), v.finite());
const place = v.pipe(v.number(), v.integer(), v.minValue(0));
const tabId = v.pipe(v.number(), v.integer());
const side = v.picklist(SIDES);
const options = v.strictObject({ pairs: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_PAIRS)), visit: v.picklist(VISITS), isCold: v.boolean() });
const atLoad = { place, attempt: place, sinceMs: finite };
const made = { pair: place, side, load: place };

/** As it is kept while the browser runs. */
export const MeasurementSchema: v.GenericSchema<unknown, Measurement> = v.strictObject({
  url: v.string(),
  options,
  asks: v.boolean(),
  startedMs: finite,
  waitedMs: finite,
  plan: v.array(v.strictObject({ pair: place, side })),
  phase: v.variant('name', [
    v.strictObject({ name: v.literal('opening'), sinceMs: finite }),
    v.strictObject({ name: v.literal('preparing'), ...atLoad }),
    v.strictObject({ name: v.literal('resting'), ...atLoad }),
    v.strictObject({ name: v.literal('loading'), ...atLoad }),
    v.strictObject({ name: v.literal('asking'), ...atLoad }),
    v.strictObject({ name: v.literal('ended'), why: v.picklist(END_REASONS) }),
  ]),
  tabId: v.nullable(tabId),
  isSeen: v.boolean(),
  load: place,
  bytesPerLoad: v.nullable(finite),
  counted: v.array(v.strictObject({ ...made, isrtMs: finite, fcpMs: v.nullable(finite), lcpMs: v.nullable(finite), carried: v.strictObject({ neededBytes: finite, otherBytes: finite }) })),
  dropped: v.array(v.strictObject({ ...made, reason: v.picklist([...VOID_REASONS, ...DROP_REASONS]) })),
});

/** What the measuring page may say. */
export const MeasuringRequestSchema: v.GenericSchema<unknown, MeasuringRequest> = v.variant('type', [
  v.strictObject({ type: v.literal('look'), tabId }),
  v.strictObject({ type: v.literal('start'), tabId, options, maySpend: v.boolean() }),
  v.strictObject({ type: v.literal('goOn') }),
  v.strictObject({ type: v.literal('cancel') }),
]);
