import * as v from 'valibot';

/** Longer lists and texts are cut: what is told is for people. */
export const MAX_LIMITS = 64;
export const MAX_REPORTED_CHARS = 200;

const text = v.pipe(v.string(), v.maxLength(MAX_REPORTED_CHARS));

/** How the driver stands, in words for a person: numbers and names, no addresses. */
export const DriverReportSchema = v.strictObject({
  /** `absent`: none is there; it is optional, so that is no fault. `fault`: there is something to do about it. */
  state: v.picklist(['good', 'absent', 'fault']),
  text,
  detail: text,
  /** A command to run. */
  nextStep: v.nullable(text),
  /** What this kernel, or its settings, do not allow. */
  limits: v.pipe(v.array(text), v.maxLength(MAX_LIMITS)),
});
export type DriverReport = v.InferOutput<typeof DriverReportSchema>;

/** Of one that refuses, or says nothing. */
export const SILENT_DRIVER: DriverReport = { state: 'fault', text: 'Driver does not answer', detail: 'To see why, run:', nextStep: 'firstscreen-helper doctor', limits: [] };
