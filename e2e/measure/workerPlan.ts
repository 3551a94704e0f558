import * as v from 'valibot';
import { HostingPlace } from '../bench/besideHosting.ts';
import { MeasurementExport } from './measurementExport.ts';

/** What the command hands to its worker beside the link, as a file. */
export const WorkerPlan = v.object({
  ...HostingPlace.entries,
  pages: v.array(v.object({ name: v.string(), path: v.string() })),
  browser: v.picklist(['chromium', 'firefox']),
  protocol: v.string(),
  pairs: v.number(),
  limitMs: v.number(),
});
export type WorkerPlan = v.InferOutput<typeof WorkerPlan>;

/** What the worker prints at its end, as JSON. */
export const WorkerOutput = v.array(v.object({ page: v.string(), measured: v.nullable(MeasurementExport), failure: v.nullable(v.string()) }));
