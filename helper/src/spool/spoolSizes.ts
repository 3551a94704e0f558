import { SpoolBudget } from './spoolBudget.ts';
import type { SpoolOptions } from './spooledBody.ts';

const MEBIBYTE = 1024 * 1024;
/** Of one body, and of all together. */
const ONE_BYTES = { memory: 1 * MEBIBYTE, disk: 256 * MEBIBYTE };
const ALL_BYTES = { memory: 32 * MEBIBYTE, disk: 1024 * MEBIBYTE };

/** A spool of the usual sizes, for all that comes one way. */
export function spoolOf(directory: string): SpoolOptions {
  return { budget: new SpoolBudget(ALL_BYTES), directory, maxBytes: ONE_BYTES };
}
