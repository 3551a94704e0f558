import type { Counted, FwpCounters } from './plan.ts';

/** Of a driver that had nothing to do. */
export const noneCounted: FwpCounters = { flows: 0, holes: 0, holeBytes: 0, late: 0, congested: 0, noRoom: 0 };

/** Over a link that carried so many bytes down, lost ones included, of which it delivered some. */
export function transferOf(bytes = 100_000, deliveredBytes = bytes, dropsQueue = 0): Counted {
  const up = { packets: 50, bytes: 2_000, deliveredBytes: 2_000, dropsQueue: 0, dropsLoss: 0 };
  return { link: { up, down: { packets: 100, bytes, deliveredBytes, dropsQueue, dropsLoss: 0 }, lateness: { p99Us: 0 } }, fwp: null };
}
